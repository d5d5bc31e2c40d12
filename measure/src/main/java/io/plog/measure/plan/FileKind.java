package io.plog.measure.plan;

/** What kind of file appends go to. */
public enum FileKind implements JsonLabelled {
    /** Written and forced in full before, as a log's segments are: a force is one of data only. */
    INITIALISED,
    /** Each append makes the file longer, so that each force has metadata to make stable, too. */
    GROWING,
    /** Initialised; each append goes to a random block of the file instead of behind the one before. */
    RANDOM;
}
