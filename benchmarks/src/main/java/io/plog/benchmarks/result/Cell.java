package io.plog.benchmarks.result;

/**
 * A cell of the table.
 *
 * @param outstanding appends outstanding at any time, at least 1
 * @param payloadBytes size of each payload
 * @param appends how many are measured in each round at most
 */
public record Cell(int outstanding, int payloadBytes, int appends) {
    private static final int KIB = 1024;

    /** Such as {@code 64 x 1 KiB}. */
    public String label() {
        String size = payloadBytes % KIB == 0 ? payloadBytes / KIB + " KiB" : payloadBytes + " B";
        return outstanding + " x " + size;
    }
}
