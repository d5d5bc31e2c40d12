/**
 * From samples to the numbers of a cell: distributions, intervals, time series, parts, interruptions, and the data that figures draw.
 * For the verdicts and the charts; judges nothing.
 */
@NullMarked
package io.plog.results.cells;

import org.jspecify.annotations.NullMarked;
