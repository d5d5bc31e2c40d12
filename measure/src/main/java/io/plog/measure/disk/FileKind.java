package io.plog.measure.disk;

import io.plog.stats.text.ClosestName;
import java.util.List;
import java.util.Locale;

/** What kind of file appends go to. */
public enum FileKind {
    /** Written and forced in full before, as a log's segments are: a force is one of data only. */
    INITIALISED,
    /** Each append makes the file longer, so that each force has metadata to make stable, too. */
    GROWING,
    /** Initialised; each append goes to a random block of the file instead of behind the one before. */
    RANDOM;

    /** As in options and results: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The kind with this label.
     *
     * @throws IllegalArgumentException if there is none; the message lists them, and names the closest
     */
    public static FileKind ofLabel(String label) {
        return ClosestName.choose("files", label, List.of(values()), FileKind::label);
    }
}
