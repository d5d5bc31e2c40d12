/**
 * Arithmetic on samples: quantiles, intervals, comparisons, densities. No input, no output, no clock. For code that measures
 * or reports.
 */
@NullMarked
package io.plog.stats;

import org.jspecify.annotations.NullMarked;
