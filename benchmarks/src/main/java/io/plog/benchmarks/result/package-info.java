/** What was measured, and what is made of it: statistics, tables, plots. Pure functions and records. */
@NullMarked
package io.plog.benchmarks.result;

import org.jspecify.annotations.NullMarked;
