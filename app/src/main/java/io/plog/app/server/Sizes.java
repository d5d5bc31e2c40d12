package io.plog.app.server;

import io.plog.stats.text.ByteSize;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A size that must fit an {@code int}, as options take it: {@code 100}, {@code 64KiB}, {@code 1M}. */
final class Sizes implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        try {
            return Math.toIntExact(ByteSize.parse(text));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new TypeConversionException(
                    e instanceof ArithmeticException ? "size '" + text + "' is too large" : e.getMessage());
        }
    }
}
