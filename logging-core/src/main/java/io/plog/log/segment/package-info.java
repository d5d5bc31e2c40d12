/** Segments and recovery: what a directory's segments hold, what of it is the log, and how the next batch gets there. */
@NullMarked
package io.plog.log.segment;

import org.jspecify.annotations.NullMarked;
