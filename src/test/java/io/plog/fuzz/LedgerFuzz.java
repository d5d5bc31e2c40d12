package io.plog.fuzz;

import io.plog.measure.ledger.AuditLedgerReader;
import io.plog.measure.ledger.LedgerException;
import io.plog.measure.ledger.LedgerLine;
import io.plog.protocol.Frame;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A ledger of arbitrary bytes, read in pieces whose length the first byte chooses.
 *
 * <p>A line is read as a slow and plain parser reads it, or refused where that one refuses it, with a
 * {@link LedgerException} that names the line; what follows the last line feed is reported as unfinished.
 */
public final class LedgerFuzz {
    private static final String NUMBER = "(0|[1-9][0-9]*)";
    private static final Pattern LINE =
            Pattern.compile(String.join(" ", NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, "([0-9a-f]{8})"));
    private static final BigInteger MOST_U64 = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    private static final List<BigInteger> MOST = List.of(
            MOST_U64,
            MOST_U64,
            BigInteger.valueOf(0xFFFF),
            BigInteger.valueOf(Long.MAX_VALUE),
            BigInteger.valueOf(Frame.MAX_PAYLOAD_BYTES));

    private LedgerFuzz() {}

    /** Runs one case. */
    public static void fuzzerTestOneInput(byte[] data) {
        Input input = new Input(data);
        int most = 1 + input.u8();
        byte[] ledger = input.rest();
        try (AuditLedgerReader reader = AuditLedgerReader.of("a ledger", new Pieces(ledger, most))) {
            check(reader, ledger);
        } catch (IOException undeclared) {
            throw new UncheckedIOException(undeclared);
        }
    }

    private static void check(AuditLedgerReader reader, byte[] ledger) throws IOException {
        int start = 0;
        for (long line = 1; ; line++) {
            int end = start;
            while (end < ledger.length && ledger[end] != '\n') {
                end++;
            }
            String text = new String(ledger, start, end - start, StandardCharsets.ISO_8859_1);
            boolean whole = end < ledger.length;
            LedgerLine read;
            try {
                read = reader.next();
            } catch (LedgerException refused) {
                // Too long is too long, even if the line has no end.
                require(!isLine(text) && (whole || text.length() > 100), "refused: '" + text + "': " + refused);
                require(
                        refused.getMessage().contains(", line " + line + ": "),
                        "refused line " + line + ": " + refused);
                return;
            }
            require((read != null) == whole, "a line that " + (whole ? "ends" : "does not end") + ": '" + text + "'");
            if (read == null) {
                require(reader.unfinishedBytes() == text.length(), reader.unfinishedBytes() + " bytes unfinished");
                return;
            }
            require(isLine(text), "taken: '" + text + "'");
            require(text.equals(words(read)), "'" + text + "' was read as '" + words(read) + "'");
            require(reader.lines() == line, "line " + line + " is counted as " + reader.lines());
            start = end + 1;
        }
    }

    private static boolean isLine(String text) {
        Matcher line = LINE.matcher(text);
        if (!line.matches()) {
            return false;
        }
        for (int i = 0; i < MOST.size(); i++) {
            if (new BigInteger(line.group(i + 1)).compareTo(MOST.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    private static String words(LedgerLine line) {
        return String.join(
                " ",
                Long.toUnsignedString(line.client()),
                Long.toUnsignedString(line.request()),
                Integer.toString(line.target()),
                Long.toString(line.index()),
                Integer.toString(line.length()),
                String.format("%08x", line.crc32c()));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** Lines as they should be. */
    static List<byte[]> seeds() {
        String line = "17 4 0 12 100 0a1b2c3d\n";
        String extreme = "18446744073709551615 18446744073709551615 65535 9223372036854775807 67108864 ffffffff\n";
        return List.of(
                ("A" + line + line).getBytes(StandardCharsets.ISO_8859_1),
                ("\0" + extreme + "0 0 0 0 0 00000000\n").getBytes(StandardCharsets.ISO_8859_1),
                ("z" + line + "17 5 0 1").getBytes(StandardCharsets.ISO_8859_1));
    }

    /** A stream that gives a few bytes at a time. */
    private static final class Pieces extends InputStream {
        private final ByteArrayInputStream all;
        private final int most;
        private int empty;

        private Pieces(byte[] all, int most) {
            this.all = new ByteArrayInputStream(all);
            this.most = most;
        }

        @Override
        public int read() {
            return all.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            // A reader that asks for nothing, over and over, would wait for ever.
            empty = length == 0 ? empty + 1 : 0;
            require(empty < 100, "asked for no bytes a hundred times");
            return all.read(target, offset, Math.min(most, length));
        }
    }
}
