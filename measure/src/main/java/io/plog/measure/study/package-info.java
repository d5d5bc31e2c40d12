/** What a load study measures: its plan, its cells and their order, and the counters of the server meanwhile. */
@NullMarked
package io.plog.measure.study;

import org.jspecify.annotations.NullMarked;
