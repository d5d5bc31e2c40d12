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
}
