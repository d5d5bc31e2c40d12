package io.plog.measure.samples;

import java.util.Set;

/**
 * One trial of a run: what a pair of fresh processes, server and client, measures. The unit of replication, because
 * requests of one process share what its compiler and its memory happened to become (Georges, Buytaert and Eeckhout, OOPSLA
 * 2007).
 *
 * @param number from 0
 * @param done turns that need not be run, since a run that was interrupted has them
 */
public record Trial(int number, Set<Turn> done) {
    /**
     * What is run without a break: a cell's part of one block.
     *
     * @param block from 0
     */
    public record Turn(int block, CellKey cell) {}

    public Trial {
        done = Set.copyOf(done);
    }
}
