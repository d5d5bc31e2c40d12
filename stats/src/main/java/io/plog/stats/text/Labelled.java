package io.plog.stats.text;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A constant as options, files and results name it: in lower case, with hyphens. */
public interface Labelled {
    /** As the code names it. */
    String name();

    /** As people do. */
    default String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The value with this label.
     *
     * @param what the values are, as an option names them
     * @throws IllegalArgumentException if there is none; the message names all, and the closest
     */
    static <T extends Labelled> T of(String what, String label, T[] values) {
        List<String> labels = Arrays.stream(values).map(Labelled::label).toList();
        int at = labels.indexOf(label);
        if (at < 0) {
            throw new IllegalArgumentException(what + " is '" + label + "'"
                    + ClosestName.to(label, labels)
                            .map(near -> " (did you mean '" + near + "'?)")
                            .orElse("")
                    + ": expected " + String.join(", ", labels));
        }
        return values[at];
    }
}
