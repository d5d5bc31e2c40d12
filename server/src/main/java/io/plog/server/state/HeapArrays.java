package io.plog.server.state;

/**
 * Makes the arrays that a target's memory grows by. The server's are the JVM's own; those of a test fail when it says so, for
 * a heap that is full is no place to test in.
 */
public interface HeapArrays {
    long[] longs(int length);

    byte[][] answers(int length);

    HeapArrays JVM = new HeapArrays() {
        @Override
        public long[] longs(int length) {
            return new long[length];
        }

        @Override
        public byte[][] answers(int length) {
            return new byte[length][];
        }
    };
}
