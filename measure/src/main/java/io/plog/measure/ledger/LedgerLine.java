package io.plog.measure.ledger;

import io.plog.stats.text.NewerVersion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line: {@code client request target index length crc32c}, separated by one space, ended by a line feed; decimal
 * without leading zeros but for the checksum, which has eight lower-case hex digits.
 *
 * <p>This is version 1, which has no line that says so. A later version begins with the line {@code plog-ledger VERSION}.
 */
final class LedgerLine {
    /** Five numbers of up to twenty digits, each with its space, the checksum, the line feed. */
    static final int LONGEST_BYTES = 5 * 21 + 9;

    static final int VERSION = 1;

    private static final Pattern LATER = Pattern.compile("plog-ledger ([1-9][0-9]{0,8})\n");

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final byte[] digits = new byte[20];

    /**
     * What to say of a ledger of a later version; empty if it is none.
     *
     * @param beginning of the file, as far as it is known
     */
    static String objection(ByteBuffer beginning) {
        Matcher line = LATER.matcher(StandardCharsets.ISO_8859_1.decode(beginning.duplicate()));
        return line.lookingAt() && Integer.parseInt(line.group(1)) > VERSION
                ? NewerVersion.words("ledger format", Integer.parseInt(line.group(1)), VERSION)
                : "";
    }

    /** Writes a line; allocates nothing. */
    void put(ByteBuffer out, long client, long request, int targetId, long index, int length, int crc32c) {
        putDecimal(out, client);
        putDecimal(out, request);
        putDecimal(out, targetId);
        putDecimal(out, index);
        putDecimal(out, length);
        for (int shift = 28; shift >= 0; shift -= 4) {
            out.put(HEX[crc32c >>> shift & 0xF]);
        }
        out.put((byte) '\n');
    }

    private void putDecimal(ByteBuffer out, long value) {
        int at = digits.length;
        long rest = value;
        do {
            digits[--at] = (byte) ('0' + Long.remainderUnsigned(rest, 10));
            rest = Long.divideUnsigned(rest, 10);
        } while (rest != 0);
        out.put(digits, at, digits.length - at).put((byte) ' ');
    }
}
