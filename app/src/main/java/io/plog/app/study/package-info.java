/** {@code plog study}: where latency comes from, by design and load, with a server of its own for each cell. */
@NullMarked
package io.plog.app.study;

import org.jspecify.annotations.NullMarked;
