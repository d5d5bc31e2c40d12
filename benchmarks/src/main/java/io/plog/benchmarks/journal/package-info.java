/** The contestants: each kind of journal behind the same small interface. */
@NullMarked
package io.plog.benchmarks.journal;

import org.jspecify.annotations.NullMarked;
