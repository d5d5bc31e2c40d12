/** Benchmarks of small parts outside {@code io.plog.log}, run by {@code benchmarks/run micro}. */
@NullMarked
package io.plog.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
