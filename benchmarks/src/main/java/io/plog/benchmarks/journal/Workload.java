package io.plog.benchmarks.journal;

import java.nio.file.Path;

/**
 * What a journal will have to do, so that it can prepare its files before the clock starts.
 *
 * @param directory an empty directory of its own
 * @param outstanding how many appends are outstanding at any time, at least 1
 * @param payloadBytes size of each record's payload
 * @param appends how many appends there will be at most, warm-up included
 */
public record Workload(Path directory, int outstanding, int payloadBytes, long appends) {
    /** Everything that will be appended, with room for {@code headerBytes} with each record. */
    public long bytes(int headerBytes) {
        return appends * ((long) payloadBytes + headerBytes);
    }
}
