package io.plog.server.state;

/** A heap that is full after so many arrays more. */
final class FailingArrays implements HeapArrays {
    private int left = Integer.MAX_VALUE;
    private int failures;

    void failAfter(int more) {
        left = more;
    }

    /** How often there was no heap. */
    int failures() {
        return failures;
    }

    @Override
    public long[] longs(int length) {
        take();
        return new long[length];
    }

    @Override
    public byte[][] answers(int length) {
        take();
        return new byte[length][];
    }

    private void take() {
        if (left == 0) {
            failures++;
            throw new OutOfMemoryError("as the test says");
        }
        left--;
    }
}
