package io.plog.measure.ledger;

import io.plog.protocol.Frame;
import io.plog.stats.text.NewerVersion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One line: {@code client request target index length crc32c}, separated by one space, ended by a line feed; decimal
 * without leading zeros but for the checksum, which has eight lower-case hex digits.
 *
 * <p>This is version 1, which has no line that says so. A later version begins with the line {@code plog-ledger VERSION}.
 *
 * @param client the client's id, a u64
 * @param request the client's number for the request, a u64
 * @param target the target's id, 0 to 65535
 * @param index the record's index in the target's log; 0 if it was not logged
 * @param length the payload's length in bytes, 0 to {@link Frame#MAX_PAYLOAD_BYTES}
 * @param crc32c the payload's CRC-32C
 */
public record LedgerLine(long client, long request, int target, long index, int length, int crc32c) {
    /** Five numbers of up to twenty digits, each with its space, the checksum, the line feed. */
    static final int LONGEST_BYTES = 5 * 21 + 9;

    static final int VERSION = 1;

    private static final int MAX_TARGET = 0xFFFF;
    private static final Pattern LATER = Pattern.compile("plog-ledger ([1-9][0-9]{0,8})\n");
    private static final Pattern LINE = Pattern.compile("(0|[1-9][0-9]{0,19}) ".repeat(5) + "([0-9a-f]{8})");

    /** What {@link #parse} takes, in words. */
    static final String EXPECTED = "the client's id and the request's number (0 to 18446744073709551615), the"
            + " target's id (to " + MAX_TARGET + "), the record's index (to " + Long.MAX_VALUE
            + "), the payload's length (to " + Frame.MAX_PAYLOAD_BYTES
            + "), and its CRC-32C in eight hex digits, with one space between them";

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

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

    /** Reads a line without its line feed; null if no writer writes it. */
    static @Nullable LedgerLine parse(String text) {
        Matcher numbers = LINE.matcher(text);
        if (!numbers.matches()) {
            return null;
        }
        try {
            LedgerLine line = new LedgerLine(
                    Long.parseUnsignedLong(numbers.group(1)),
                    Long.parseUnsignedLong(numbers.group(2)),
                    Integer.parseInt(numbers.group(3)),
                    Long.parseLong(numbers.group(4)),
                    Integer.parseInt(numbers.group(5)),
                    Integer.parseUnsignedInt(numbers.group(6), 16));
            return line.target <= MAX_TARGET && line.length <= Frame.MAX_PAYLOAD_BYTES ? line : null;
        } catch (NumberFormatException tooLarge) {
            return null;
        }
    }

    /**
     * Writes a line; allocates nothing.
     *
     * @param digits room for twenty
     */
    static void put(
            ByteBuffer out,
            byte[] digits,
            long client,
            long request,
            int targetId,
            long index,
            int length,
            int crc32c) {
        putDecimal(out, digits, client);
        putDecimal(out, digits, request);
        putDecimal(out, digits, targetId);
        putDecimal(out, digits, index);
        putDecimal(out, digits, length);
        for (int shift = 28; shift >= 0; shift -= 4) {
            out.put(HEX[crc32c >>> shift & 0xF]);
        }
        out.put((byte) '\n');
    }

    private static void putDecimal(ByteBuffer out, byte[] digits, long value) {
        int at = digits.length;
        long rest = value;
        do {
            digits[--at] = (byte) ('0' + Long.remainderUnsigned(rest, 10));
            rest = Long.divideUnsigned(rest, 10);
        } while (rest != 0);
        out.put(digits, at, digits.length - at).put((byte) ' ');
    }
}
