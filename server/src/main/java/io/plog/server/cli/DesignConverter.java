package io.plog.server.cli;

import io.plog.server.DesignOption;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a design as {@link DesignOption#parse} does. */
final class DesignConverter implements ITypeConverter<DesignOption> {
    @Override
    public DesignOption convert(String text) {
        try {
            return DesignOption.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
