package io.plog.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.List;

/** Logs as they should be, as steps for {@link LogForge}. */
final class LogSeeds {
    private static final int HEAD = 0;
    private static final int SEGMENT = 1;
    private static final int CHECKPOINT = 5;
    private static final int OTHER = 6;
    private static final int DAMAGE = 7;

    private static final int RECORD = 0;
    private static final int RECORD_TO_BLOCK = 132;
    private static final int MARKS = 4;
    private static final int CLOSING_MARKS = 16;
    private static final int SEALS = 28;
    private static final int SINGLE_MARK = 6;
    private static final int GAP = 10;
    private static final int FILL = 11;

    private LogSeeds() {}

    static List<byte[]> segments() {
        return List.of(
                bytes(1, 4, RECORD, 10, RECORD, 0, RECORD, 200, CLOSING_MARKS),
                bytes(1, 5, RECORD, 10, MARKS, RECORD, 3, RECORD_TO_BLOCK, 9, SEALS),
                bytes(1, 4, RECORD, 10, GAP, 3, RECORD, 5, SINGLE_MARK),
                bytes(1, 4, RECORD, 10, 8, 5, 3, 3, RECORD, 5, RECORD, 7),
                bytes(1, 3, RECORD, 10, FILL, 8, SEALS),
                bytes(0, 1, 2, 3, 4));
    }

    static List<byte[]> directories() {
        int[] whole = {0, 0, HEAD, 1, 1, 0, SEGMENT, 0, 3, RECORD, 10, RECORD, 20, CLOSING_MARKS, SEGMENT, 1, 0};
        int[] two = {0, 1, HEAD, 1, 1, 0, SEGMENT, 0, 3, RECORD, 10, RECORD, 20, SEALS, SEGMENT, 1, 1, RECORD, 5};
        int[] dropped = {
            1,
            2,
            4,
            7,
            HEAD,
            2,
            7,
            3,
            CHECKPOINT,
            3,
            6,
            1,
            2,
            3,
            SEGMENT,
            1,
            2,
            RECORD_TO_BLOCK,
            20,
            MARKS,
            SEGMENT,
            2,
            0
        };
        int[] torn = {
            2, 0, HEAD, 1, 1, 0, SEGMENT, 0, 3, RECORD, 10, RECORD, 20, 8, 5, 3, 3, OTHER, 2, 3, 1, 2, 3, SEGMENT, 1, 0
        };
        int[] damaged = {
            3, 0, HEAD, 1, 1, 0, SEGMENT, 0, 3, RECORD, 10, RECORD, 20, RECORD, 1, DAMAGE, 1, 0, 1, 16, 40, 1, 0
        };
        return List.of(bytes(whole), bytes(two), bytes(dropped), bytes(torn), bytes(damaged));
    }

    private static byte[] bytes(int... values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int value : values) {
            bytes.write(value);
        }
        return bytes.toByteArray();
    }
}
