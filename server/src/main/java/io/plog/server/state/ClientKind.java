package io.plog.server.state;

/**
 * What a client's id stands for. The upper half of an id says so for those that the HTTP port makes up, so that it can be determined
 * from the log alone, also at a replay. No client can use them: the binary port refuses them.
 */
public enum ClientKind {
    /** A client of the binary protocol. */
    BINARY(0),
    /** A connection of the HTTP port: "HTTC" in ASCII. It never repeats a number, so it is not remembered. */
    HTTP_CONNECTION(0x4854_5443),
    /** Keys of the HTTP port, as {@code RequestId} makes them: "HTTP" in ASCII. */
    HTTP_KEY(0x4854_5450);

    private final int upper;

    ClientKind(int upper) {
        this.upper = upper;
    }

    /** The kind that an id belongs to. */
    public static ClientKind of(long client) {
        int upper = (int) (client >>> Integer.SIZE);
        return upper == HTTP_KEY.upper ? HTTP_KEY : upper == HTTP_CONNECTION.upper ? HTTP_CONNECTION : BINARY;
    }

    /** The id of this kind with this lower half. */
    public long id(int lower) {
        return (long) upper << Integer.SIZE | Integer.toUnsignedLong(lower);
    }
}
