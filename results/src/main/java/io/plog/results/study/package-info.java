/** What a load study found: from the samples of its cells to figures with intervals, and to findings. */
@NullMarked
package io.plog.results.study;

import org.jspecify.annotations.NullMarked;
