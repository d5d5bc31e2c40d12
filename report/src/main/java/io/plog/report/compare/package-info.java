/** Two runs, or two targets of one, side by side; gates; and several clients' runs as one. */
@NullMarked
package io.plog.report.compare;

import org.jspecify.annotations.NullMarked;
