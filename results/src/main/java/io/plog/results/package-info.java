/**
 * Turns samples into a report: the analysis of a run, the files it is written to, and its summary for a terminal. For commands; the
 * packages below it hold the parts, and none of those that this one uses depends on it.
 */
@NullMarked
package io.plog.results;

import org.jspecify.annotations.NullMarked;
