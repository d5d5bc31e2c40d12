package io.plog.app.cli;

import io.plog.server.options.DesignOption;
import io.plog.server.options.TargetOptions;
import io.plog.server.options.TransportOption;
import io.plog.stats.text.ByteSize;
import io.plog.stats.text.ClosestName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Which values the texts of options stand for, by the type of the option. Stateless. */
public final class Converters {
    private Converters() {}

    /** Lets a command and all below it read options of these types. */
    public static void register(CommandLine command) {
        command.registerConverter(Duration.class, of(TimeSpan::parse));
        command.registerConverter(Path.class, of(text -> {
            if (text.isEmpty()) {
                throw new IllegalArgumentException("found nothing, expected the name of a file or directory");
            }
            return Path.of(text);
        }));
        command.registerConverter(DesignOption.class, of(Converters::design));
        command.registerConverter(TransportOption.class, of(TransportOption::parse));
        command.registerConverter(TargetOptions.class, of(text -> {
            try {
                return LogOption.parse(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("'" + text + "': " + e.getMessage(), e);
            }
        }));
    }

    /** A size as {@link ByteSize} has it, for options that name it as their converter: {@code 100}, {@code 64KiB}, {@code 4G}. */
    public static final class Size implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) throws Exception {
            return of(ByteSize::parse).convert(text);
        }
    }

    private static <T> ITypeConverter<T> of(Function<String, T> reader) {
        return text -> {
            try {
                return reader.apply(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        };
    }

    /**
     * Reads a design as {@link DesignOption#parse} does, and names the nearest if there is none of that name.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static DesignOption design(String label) {
        try {
            return DesignOption.parse(label);
        } catch (IllegalArgumentException e) {
            String name = label.split("=", 2)[0];
            if (DesignOption.names().contains(name)) {
                throw e;
            }
            String hint = ClosestName.to(name, DesignOption.names())
                    .map(near -> "; did you mean " + near + "?")
                    .orElse("");
            throw new IllegalArgumentException(e.getMessage() + hint, e);
        }
    }
}
