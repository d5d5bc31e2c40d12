package io.plog.app.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns the first Ctrl-C (or SIGTERM, or the terminal's end) into a request to stop, so that a command can end in good order with an exit code
 * of its own; a second one ends the process at once.
 *
 * <p>A shutdown hook cannot do this: it runs when the exit code is decided already, and at the same time as hooks that remove
 * what the command still needs. The class behind it, {@code sun.misc.Signal}, is supported by every JDK but not part of the
 * standard, so it is reached by its name; where there is none, Ctrl-C ends the process as usual.
 */
public final class StopSignals {
    private static volatile boolean ignored;

    private StopSignals() {}

    /** From now on the first interrupt calls {@code stop}, on a thread of the JVM's; {@code stop} must be quick. */
    public static void onFirst(Runnable stop) {
        if (!ignored) {
            handle("INT", stop);
        }
        handle("TERM", stop);
        handle("HUP", stop); // under nohup the JVM leaves it ignored
    }

    /** From now on Ctrl-C does nothing, whatever else asks for it; a SIGTERM still ends the process. */
    public static void ignore() {
        ignored = true;
        handle("INT", null);
    }

    /** @param stop null to ignore the signal */
    private static void handle(String name, @Nullable Runnable stop) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object signal = signalType.getConstructor(String.class).newInstance(name);
            Object byDefault = handlerType.getField("SIG_DFL").get(null);
            Method install = signalType.getMethod("handle", signalType, handlerType);
            InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    install.invoke(null, signal, byDefault);
                    Objects.requireNonNull(stop).run();
                    yield null;
                }
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> false;
                default -> "stop on SIG" + name;
            };
            install.invoke(
                    null,
                    signal,
                    stop == null
                            ? handlerType.getField("SIG_IGN").get(null)
                            : Proxy.newProxyInstance(
                                    StopSignals.class.getClassLoader(), new Class<?>[] {handlerType}, handler));
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // No such signal here, or it belongs to the JVM (-Xrs): it keeps its usual effect.
        }
    }
}
