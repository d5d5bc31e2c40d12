package io.plog.benchmarks;

import io.plog.benchmarks.result.Cell;

/**
 * What a worker is told to do.
 *
 * @param directory an empty directory, for this run only
 * @param cell what to measure
 * @param round the number of the round, 0 for the warm-up
 * @param mostSeconds how long to measure, after as long a warm-up
 */
record RunOrder(String directory, Cell cell, int round, double mostSeconds) {}
