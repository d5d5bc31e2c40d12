@NullMarked
package io.plog.benchmarks;

import org.jspecify.annotations.NullMarked;
