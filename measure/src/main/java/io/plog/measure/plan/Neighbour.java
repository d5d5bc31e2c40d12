package io.plog.measure.plan;

/** Who else uses the disk while a cell is measured. */
public enum Neighbour implements JsonLabelled {
    /** None: the disk is dedicated to the log. */
    NONE,
    /** A second log, which appends 4 KiB and forces it, again and again. */
    LOG,
    /** A reader, which reads 4 KiB at a random place, around the page cache, again and again. */
    READS;

    /** As people say it, after "with". */
    public String words() {
        return switch (this) {
            case NONE -> "no neighbour";
            case LOG -> "a second log";
            case READS -> "random reads";
        };
    }
}
