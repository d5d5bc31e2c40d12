package io.plog.measure.plan;

/**
 * A class of sizes.
 *
 * @param leastBytes the smallest payload
 * @param mostBytes the largest; the class's cells go by it
 * @param share of the requests, 0 to 1
 */
public record SizeShare(int leastBytes, int mostBytes, double share) {}
