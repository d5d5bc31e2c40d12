/** Two runs, or two targets of one, side by side; gates; and several clients' runs as one. */
@NullMarked
package io.plog.results.compare;

import org.jspecify.annotations.NullMarked;
