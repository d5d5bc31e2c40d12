package io.plog.benchmarks.result;

/**
 * A cell of the table.
 *
 * @param outstanding appends outstanding at any time, at least 1
 * @param payloadBytes size of each payload
 * @param appends how many are measured in each round at most
 * @param submitter what the submitting thread does while all are outstanding
 */
public record Cell(int outstanding, int payloadBytes, long appends, Submitter submitter) {
    private static final int KIB = 1024;

    /** With a submitter that looks. */
    public Cell(int outstanding, int payloadBytes, long appends) {
        this(outstanding, payloadBytes, appends, Submitter.LOOKS);
    }

    /** Such as {@code 64 x 1 KiB} or {@code 64 x 1 KiB, parks}. */
    public String label() {
        String size = payloadBytes % KIB == 0 ? payloadBytes / KIB + " KiB" : payloadBytes + " B";
        return outstanding + " x " + size + (submitter == Submitter.PARKS ? ", parks" : "");
    }
}
