package io.plog.client.stats;

/**
 * A ratio of two measured quantities with its 95 % interval.
 *
 * @param ratio from all the samples
 * @param low lower end of the interval
 * @param high upper end of the interval
 */
public record RatioEstimate(double ratio, double low, double high) {}
