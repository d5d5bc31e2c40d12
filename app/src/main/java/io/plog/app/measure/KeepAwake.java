package io.plog.app.measure;

import io.plog.host.AwakeProcessors;
import io.plog.measure.KeptAwake;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Whether this machine's processors are kept awake during a run: {@code --keep-awake}. Either for the whole run or not at all, so that
 * its cells differ in nothing of that.
 */
public enum KeepAwake {
    /** If nothing speaks against it. */
    AUTO,
    ON,
    OFF;

    /** As people write it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads the option. */
    public static final class FromLabel implements ITypeConverter<KeepAwake> {
        @Override
        public KeepAwake convert(String text) {
            return Arrays.stream(values())
                    .filter(when -> when.label().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "': expected auto, on or off"));
        }
    }

    /**
     * What keeps them awake, until it is closed.
     *
     * @param what as the run's conditions tell it
     */
    public record Run(KeptAwake what, @Nullable AwakeProcessors process) implements Closeable {
        @Override
        public void close() throws IOException {
            if (process != null) {
                process.close();
            }
        }
    }

    /**
     * Begins.
     *
     * @throws IOException if it was asked for and is not possible
     */
    public Run begin() throws IOException {
        return begin(AwakeProcessors.obstacle());
    }

    Run begin(@Nullable String obstacle) throws IOException {
        if (this == OFF) {
            return nothing("no: switched off with --keep-awake=off");
        }
        if (obstacle != null) {
            if (this == ON) {
                throw new IOException("--keep-awake=on: " + obstacle);
            }
            return nothing("no: " + obstacle);
        }
        try {
            AwakeProcessors process = AwakeProcessors.start();
            return new Run(new KeptAwake(process.pid(), process.told()), process);
        } catch (IOException e) {
            if (this == ON) {
                throw e;
            }
            return nothing("no: " + e.getMessage());
        }
    }

    private static Run nothing(String why) {
        return new Run(new KeptAwake(0, why), null);
    }
}
