/** Sequences of numbers, in the heap or on the disk: what the arithmetic reads. */
@NullMarked
package io.plog.stats.numbers;

import org.jspecify.annotations.NullMarked;
