package io.plog.measure.disk;

import io.plog.stats.text.ClosestName;
import java.util.List;
import java.util.Locale;

/** Who else uses the disk while a cell is measured. */
public enum Neighbour {
    /** None: the disk is dedicated to the log. */
    NONE,
    /** A second log, which appends 4 KiB and forces it, again and again. */
    LOG,
    /** A reader, which reads 4 KiB at a random place, around the page cache, again and again. */
    READS;

    /** As in options and results: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As people say it, after "with". */
    public String words() {
        return switch (this) {
            case NONE -> "no neighbour";
            case LOG -> "a second log";
            case READS -> "random reads";
        };
    }

    /**
     * The neighbour with this label.
     *
     * @throws IllegalArgumentException if there is none; the message lists them, and names the closest
     */
    public static Neighbour ofLabel(String label) {
        return ClosestName.choose("neighbours", label, List.of(values()), Neighbour::label);
    }
}
