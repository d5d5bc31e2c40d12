/**
 * The figures of a run, from its results and the data of its cells. For the page and for figures as files.
 */
@NullMarked
package io.plog.report.chart;

import org.jspecify.annotations.NullMarked;
