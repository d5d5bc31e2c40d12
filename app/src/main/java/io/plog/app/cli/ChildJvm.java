package io.plog.app.cli;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How plog starts another plog: on the same JVM with the same flags, but without agents. An agent was asked for in one process; a
 * second one of it finds its port taken or loads twice, and what it costs would be measured. Stateless.
 */
public final class ChildJvm {
    /** Variables whose flags this JVM has taken already, and hands on itself. */
    private static final Set<String> FLAG_VARIABLES = Set.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

    private static final List<String> AGENTS =
            List.of("-javaagent:", "-agentlib:", "-agentpath:", "-Xrun", "-Xdebug", "-Dcom.sun.management.jmxremote");

    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    /** By name, since the program's root command knows all others. */
    private static final String PROGRAM = "io.plog.app.Main";

    private ChildJvm() {}

    /** This program's class path, for a process that may work in another directory. */
    public static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(each -> Path.of(each).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * A command of plog itself, which ends with its standard input, ignores Ctrl-C, and takes no settings of the user's from the
     * environment. Ctrl-C reaches every process of the terminal's group, and a server must outlive it, so that its client can finish
     * its request and end the server itself. A JVM leaves alone a signal that is ignored when it starts; on Windows, which cannot do
     * that, {@link ParentWatch} ignores it some moments later.
     *
     * @param within what the command line begins with, such as a network namespace
     * @param flags more of the JVM's
     */
    public static ProcessBuilder plog(
            List<String> within, List<String> flags, String classPath, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (File.separatorChar != '\\') {
            command.addAll(List.of("/bin/sh", "-c", "trap '' INT; exec \"$0\" \"$@\""));
        }
        command.addAll(within);
        List<String> all = new ArrayList<>(flags);
        all.add(ParentWatch.FLAG);
        command.addAll(java(all, classPath, PROGRAM));
        command.addAll(arguments);
        ProcessBuilder builder = withoutFlags(new ProcessBuilder(command));
        builder.environment().keySet().removeIf(name -> name.startsWith("PLOG_") && !name.equals("PLOG_DEBUG"));
        return builder;
    }

    /** Another main class of this program. */
    public static ProcessBuilder command(List<String> within, Class<?> mainClass) {
        List<String> command = new ArrayList<>(within);
        command.addAll(java(List.of(), classPath(), mainClass.getName()));
        return withoutFlags(new ProcessBuilder(command));
    }

    private static List<String> java(List<String> flags, String classPath, String mainClass) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(withoutAgents(ManagementFactory.getRuntimeMXBean().getInputArguments()));
        if (Runtime.version().feature() >= 22 && !command.contains(NATIVE_ACCESS)) {
            // The jar's manifest allows it only for java -jar; older ones complain about the flag.
            command.add(NATIVE_ACCESS);
        }
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, mainClass));
        return command;
    }

    static List<String> withoutAgents(List<String> flags) {
        return flags.stream()
                .filter(flag -> AGENTS.stream().noneMatch(flag::startsWith))
                .toList();
    }

    private static ProcessBuilder withoutFlags(ProcessBuilder builder) {
        withoutFlags(builder.environment());
        return builder;
    }

    /** Takes out of a child's environment what would give it the agents all the same. */
    static void withoutFlags(Map<String, String> environment) {
        environment.keySet().removeAll(FLAG_VARIABLES);
    }
}
