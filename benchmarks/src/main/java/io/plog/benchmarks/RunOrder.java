package io.plog.benchmarks;

import io.plog.benchmarks.journal.Regime;
import io.plog.benchmarks.result.Cell;

/**
 * What a worker is told to do.
 *
 * @param directory an empty directory, for this run only
 * @param cell what to measure
 * @param round the number of the round, 0 for the warm-up
 * @param mostSeconds after how long to stop before all appends are done
 * @param regime what becomes of the journal's files
 */
record RunOrder(String directory, Cell cell, int round, double mostSeconds, Regime regime) {}
