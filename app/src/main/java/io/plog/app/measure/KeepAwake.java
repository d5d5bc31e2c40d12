package io.plog.app.measure;

import io.plog.host.AwakeProcessors;
import io.plog.stats.text.ClosestName;
import java.io.IOException;
import java.util.List;
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
            try {
                return ClosestName.choose("keep-awake", text, List.of(values()), KeepAwake::label);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /**
     * Keeps them awake, or not, until the result is closed.
     *
     * @throws IOException if it was asked for and is not possible
     */
    public AwakeProcessors begin() throws IOException {
        return begin(AwakeProcessors.obstacle());
    }

    AwakeProcessors begin(@Nullable String obstacle) throws IOException {
        if (this == OFF) {
            return AwakeProcessors.none("switched off with --keep-awake=off");
        }
        if (obstacle != null) {
            if (this == ON) {
                throw new IOException("--keep-awake=on: " + obstacle);
            }
            return AwakeProcessors.none(obstacle);
        }
        try {
            return AwakeProcessors.start();
        } catch (IOException e) {
            if (this == ON) {
                throw e;
            }
            return AwakeProcessors.none(String.valueOf(e.getMessage()));
        }
    }
}
