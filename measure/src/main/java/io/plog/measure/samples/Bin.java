package io.plog.measure.samples;

/** A bin of whole numbers, {@code from} to {@code to}, and how often one of them was seen. */
public record Bin(long from, long to, long count) {}
