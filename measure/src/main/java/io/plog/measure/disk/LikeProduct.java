package io.plog.measure.disk;

import io.plog.log.Force;
import io.plog.stats.text.Labelled;

/** How a well-known product appends to its log, as {@code docs/measurement.md} says with its sources. */
public enum LikeProduct implements Labelled {
    ETCD(2_300, Force.FDATASYNC, FileKind.INITIALISED, "its documentation asks for a 99th percentile under 10 ms"),
    POSTGRESQL(
            8_192,
            Force.FDATASYNC,
            FileKind.INITIALISED,
            "its documentation has no limit, and advises half of the mean as commit_delay"),
    REDIS(
            45,
            Force.FDATASYNC,
            FileKind.GROWING,
            "with appendfsync everysec its writes wait when one takes longer than 2 s; with always each request waits"),
    KAFKA(
            16_384,
            Force.FSYNC,
            FileKind.GROWING,
            "its documentation has no limit, and advises against forcing each batch (flush.messages=1): it replicates");

    private final int bytes;
    private final Force force;
    private final FileKind file;
    private final String limit;

    LikeProduct(int bytes, Force force, FileKind file, String limit) {
        this.bytes = bytes;
        this.force = force;
        this.file = file;
        this.limit = limit;
    }

    /** Size of an append. */
    public int bytes() {
        return bytes;
    }

    /** How it is forced. */
    public Force force() {
        return force;
    }

    /** What it is appended to. */
    public FileKind file() {
        return file;
    }

    /** What its documentation asks of the disk: a part of a sentence. */
    public String limit() {
        return limit;
    }
}
