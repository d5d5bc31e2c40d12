package io.plog.app.server;

import io.plog.server.options.ServerOptions;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code --admin-port}: a port, 0 for none, or {@code free}; as {@link ServerOptions#adminPort} has it. */
final class AdminPort implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
        if (value.equals("free")) {
            return 0;
        }
        try {
            int port = Integer.parseInt(value);
            return port == 0 ? ServerOptions.NO_ADMIN : port;
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + value + "' is no port: expected 1 to 65535, 0, or free");
        }
    }
}
