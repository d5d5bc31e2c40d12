package io.plog.measure.disk;

import io.plog.log.storage.Force;
import io.plog.measure.plan.FileKind;
import io.plog.stats.text.Labelled;
import io.plog.stats.text.Units;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a well-known product appends to its log, as {@code docs/measurement.md} says with its sources. */
public enum LikeProduct implements Labelled {
    ETCD(
            2_300,
            Force.FDATASYNC,
            FileKind.INITIALISED,
            10_000,
            "wants the 99th percentile of wal_fsync_duration_seconds below 10 ms",
            "https://etcd.io/docs/v3.5/faq/"),
    POSTGRESQL(
            8_192,
            Force.FDATASYNC,
            FileKind.INITIALISED,
            0,
            "documents no limit, and advises half of the mean as commit_delay",
            "https://www.postgresql.org/docs/current/wal-configuration.html"),
    REDIS(
            45,
            Force.FDATASYNC,
            FileKind.GROWING,
            0,
            "documents no limit: with appendfsync everysec a write waits when a force takes longer than 2 s",
            "https://redis.io/docs/latest/operate/oss_and_stack/management/optimization/latency/"),
    KAFKA(
            16_384,
            Force.FSYNC,
            FileKind.GROWING,
            0,
            "documents no limit, and advises against forcing each batch (flush.messages=1), as it replicates",
            "https://kafka.apache.org/documentation/#topicconfigs_flush.messages");

    private final int bytes;
    private final Force force;
    private final FileKind file;
    private final double mostP99Micros;
    private final String limit;
    private final String source;

    LikeProduct(int bytes, Force force, FileKind file, double mostP99Micros, String limit, String source) {
        this.bytes = bytes;
        this.force = force;
        this.file = file;
        this.mostP99Micros = mostP99Micros;
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

    /** What its documentation says the 99th percentile of an append must stay below, in microseconds; 0 if it says nothing. */
    public double mostP99Micros() {
        return mostP99Micros;
    }

    /** The one with this {@link #sentence}. */
    public static Optional<LikeProduct> ofSentence(@Nullable String sentence) {
        return Arrays.stream(values())
                .filter(product -> product.sentence().equals(sentence))
                .findFirst();
    }

    /** How it appends and what its documentation asks of the disk, with the source: a sentence. */
    public String sentence() {
        return label() + " appends " + Units.size(bytes) + " and forces with " + force.label() + "; it " + limit + " ("
                + source + ")";
    }
}
