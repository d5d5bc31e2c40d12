package io.plog.server.targets;

/**
 * A checkpoint that was saved.
 *
 * @param index the last record whose effect it holds
 * @param bytes of the state
 * @param firstIndex the first record that the log still has
 */
public record CheckpointReport(long index, long bytes, long firstIndex) {}
