package io.plog.benchmarks.result;

/**
 * A cell of the table.
 *
 * @param outstanding appends outstanding at any time, at least 1
 * @param payloadBytes size of each payload
 * @param submitter what the submitting thread does while all are outstanding
 */
public record Cell(int outstanding, int payloadBytes, Submitter submitter) {
    private static final int KIB = 1024;

    /** With a submitter that looks. */
    public Cell(int outstanding, int payloadBytes) {
        this(outstanding, payloadBytes, Submitter.LOOKS);
    }

    /** Such as {@code 64x1024}. */
    public String name() {
        return outstanding + "x" + payloadBytes;
    }

    /** Such as {@code 64 x 1 KiB} or {@code 64 x 1 KiB, parks}. */
    public String label() {
        String size = payloadBytes % KIB == 0 ? payloadBytes / KIB + " KiB" : payloadBytes + " B";
        return outstanding + " x " + size + (submitter == Submitter.PARKS ? ", parks" : "");
    }
}
