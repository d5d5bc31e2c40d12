package io.plog.app.cli;

import io.plog.stats.text.ByteSize;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an option's size as {@link ByteSize} has it: {@code 100}, {@code 64KiB}, {@code 4G}. Stateless. */
public final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            return ByteSize.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /**
     * The same number of bytes where an int is what there is room for.
     *
     * @throws IllegalArgumentException if it is over 2^31 - 1
     */
    public static int toInt(long bytes) {
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "size " + ByteSize.format(bytes) + " is too large: expected less than 2GiB");
        }
        return (int) bytes;
    }

    /**
     * Reads a size of less than 2 GiB.
     *
     * @throws IllegalArgumentException if it is not a size, or is larger
     */
    public static int parseInt(String text) {
        return toInt(ByteSize.parse(text));
    }
}
