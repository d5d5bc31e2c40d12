/**
 * Measures plog against what the disk can do and against other journals. {@link io.plog.benchmarks.Benchmarks} is the program
 * that the script {@code benchmarks/run} starts.
 */
@NullMarked
package io.plog.benchmarks;

import org.jspecify.annotations.NullMarked;
