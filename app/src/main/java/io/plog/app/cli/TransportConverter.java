package io.plog.app.cli;

import io.plog.server.options.TransportOption;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a transport as {@link TransportOption#parse} does. */
public final class TransportConverter implements ITypeConverter<TransportOption> {
    @Override
    public TransportOption convert(String text) {
        try {
            return TransportOption.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
