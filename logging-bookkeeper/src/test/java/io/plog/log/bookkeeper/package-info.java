/** Tests of the log on several machines: over a simulated engine, and over bookies. */
@NullMarked
package io.plog.log.bookkeeper;

import org.jspecify.annotations.NullMarked;
