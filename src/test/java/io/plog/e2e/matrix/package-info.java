/** Faults in real processes, one after the other, with an audit after each. */
@NullMarked
package io.plog.e2e.matrix;

import org.jspecify.annotations.NullMarked;
