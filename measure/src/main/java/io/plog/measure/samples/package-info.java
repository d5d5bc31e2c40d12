/** The samples of a run and the file that keeps every one of them; {@code docs/sample-format.md} specifies it. */
@NullMarked
package io.plog.measure.samples;

import org.jspecify.annotations.NullMarked;
