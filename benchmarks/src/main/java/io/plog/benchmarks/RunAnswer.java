package io.plog.benchmarks;

import io.plog.benchmarks.result.Measurement;
import org.jspecify.annotations.Nullable;

/**
 * What a worker answers: one of the three.
 *
 * @param measurement what was measured
 * @param unavailable why the contestant cannot take part on this machine
 * @param failure what went wrong
 */
record RunAnswer(
        @Nullable Measurement measurement,
        @Nullable String unavailable,
        @Nullable String failure) {}
