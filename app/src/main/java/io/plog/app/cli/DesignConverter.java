package io.plog.app.cli;

import io.plog.server.options.DesignOption;
import io.plog.stats.text.ClosestName;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a design as {@link DesignOption#parse} does, and names the nearest if there is none of that name. */
public final class DesignConverter implements ITypeConverter<DesignOption> {
    /**
     * Reads a label of a design.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static DesignOption parse(String label) {
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

    @Override
    public DesignOption convert(String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
