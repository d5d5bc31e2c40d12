package io.plog.measure.disk;

import io.plog.log.storage.Force;
import io.plog.measure.plan.FileKind;
import io.plog.stats.text.Labelled;
import io.plog.stats.text.Units;

/** How a well-known product appends to its log, as {@code docs/measurement.md} says with its sources. */
public enum LikeProduct implements Labelled {
    ETCD(
            2_300,
            Force.FDATASYNC,
            FileKind.INITIALISED,
            "wants the 99th percentile of wal_fsync_duration_seconds below 10 ms",
            "https://etcd.io/docs/v3.5/faq/"),
    POSTGRESQL(
            8_192,
            Force.FDATASYNC,
            FileKind.INITIALISED,
            "documents no limit, and advises half of the mean as commit_delay",
            "https://www.postgresql.org/docs/current/wal-configuration.html"),
    REDIS(
            45,
            Force.FDATASYNC,
            FileKind.GROWING,
            "documents no limit: with appendfsync everysec a write waits when a force takes longer than 2 s",
            "https://redis.io/docs/latest/operate/oss_and_stack/management/optimization/latency/"),
    KAFKA(
            16_384,
            Force.FSYNC,
            FileKind.GROWING,
            "documents no limit, and advises against forcing each batch (flush.messages=1), as it replicates",
            "https://kafka.apache.org/documentation/#topicconfigs_flush.messages");

    private final int bytes;
    private final Force force;
    private final FileKind file;
    private final String limit;
    private final String source;

    LikeProduct(int bytes, Force force, FileKind file, String limit, String source) {
        this.bytes = bytes;
        this.force = force;
        this.file = file;
        this.limit = limit;
        this.source = source;
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

    /** How it appends and what its documentation asks of the disk, with the source: a sentence. */
    public String sentence() {
        return label() + " appends " + Units.size(bytes) + " and forces with " + force.label() + "; it " + limit + " ("
                + source + ")";
    }
}
