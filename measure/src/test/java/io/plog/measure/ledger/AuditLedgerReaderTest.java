package io.plog.measure.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AuditLedgerReaderTest {
    private static final String GOOD = "7 1 0 1 100 0123abcd\n";

    private static AuditLedgerReader read(String text) {
        return AuditLedgerReader.of("x", new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static List<String> lines(AuditLedgerReader reader) throws IOException {
        List<String> lines = new ArrayList<>();
        for (LedgerLine line = reader.next(); line != null; line = reader.next()) {
            lines.add(Long.toUnsignedString(line.client()) + " " + Long.toUnsignedString(line.request()) + " "
                    + line.target() + " " + line.index() + " " + line.length() + " "
                    + String.format("%08x", line.crc32c()));
            assertThat(reader.lines()).isEqualTo(lines.size());
        }
        return lines;
    }

    @Test
    void everyFieldIsReadUpToItsLargestValue() throws Exception {
        String largest = "18446744073709551615 18446744073709551615 65535 9223372036854775807 67108864 ffffffff";
        String smallest = "0 0 0 0 0 00000000";
        AuditLedgerReader reader = read(largest + "\n" + smallest + "\n");
        assertThat(lines(reader)).containsExactly(largest, smallest);
        assertThat(reader.unfinishedBytes()).isZero();
    }

    @Test
    void anEmptyLedgerHasNoLines() throws Exception {
        assertThat(lines(read(""))).isEmpty();
    }

    @Test
    void aLastLineWithoutItsEndIsLeftOutAndReported() throws Exception {
        for (String unfinished : List.of("7", "7 2 0 2 100 0123abce", "7 2 0 2 \0\0\0\0")) {
            AuditLedgerReader reader = read(GOOD + unfinished);
            assertThat(lines(reader)).containsExactly(GOOD.strip());
            assertThat(reader.unfinishedBytes()).isEqualTo(unfinished.length());
            assertThat(reader.next()).isNull();
        }
    }

    @Test
    void aLedgerOfALaterVersionIsNoneOfDamage() {
        assertThatThrownBy(read("plog-ledger 2\nsomething else\n")::next)
                .hasMessage(
                        "ledger x: was written by a newer plog (ledger format 2, this one reads 1); nothing is wrong"
                                + " with it, use that version");
        for (String other : List.of("plog-ledger 1\n", "plog-ledger 02\n", GOOD + "plog-ledger 2\n")) {
            assertThatThrownBy(() -> lines(read(other))).isInstanceOf(LedgerException.class);
        }
    }

    @Test
    void whatNoWriterWritesIsRefusedWithItsLine() {
        for (String wrong : List.of(
                "",
                "7 1 0 1 100",
                "7 1 0 1 100 ",
                "7 1 0 1 100 0123abc",
                "7 1 0 1 100 0123abcde",
                "7 1 0 1 100 0123ABCD",
                "7 1 0 1 100 0123abcd 1",
                "7  1 0 1 100 0123abcd",
                " 7 1 0 1 100 0123abcd",
                "07 1 0 1 100 0123abcd",
                "-7 1 0 1 100 0123abcd",
                "18446744073709551616 1 0 1 100 0123abcd",
                "7 99999999999999999999999 0 1 100 0123abcd",
                "7 1 65536 1 100 0123abcd",
                "7 1 0 9223372036854775808 100 0123abcd",
                "7 1 0 1 67108865 0123abcd",
                "7 1x 0 1 100 0123abcd")) {
            assertThatThrownBy(() -> lines(read(GOOD + wrong + "\n" + GOOD)))
                    .isInstanceOf(LedgerException.class)
                    .hasMessageStartingWith("ledger x, line 2: expected the client's id and the request's number")
                    .hasMessageEndingWith("found '" + wrong + "'");
        }
    }

    @Test
    void bytesThatAreNoTextAreShownInHex() {
        assertThatThrownBy(() -> lines(read("7\r1\n"))).hasMessageEndingWith("found '7\\x0d1'");
        assertThatThrownBy(() -> lines(read("\u00e9\n"))).hasMessageEndingWith("found '\\xe9'");
    }

    @Test
    void aLineOfAbsurdLengthIsRefusedBeforeItIsRead() {
        long[] handedOut = {0};
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return '1';
            }

            @Override
            public int read(byte[] b, int off, int len) {
                handedOut[0] += len;
                Arrays.fill(b, off, off + len, (byte) '1');
                return len;
            }
        };
        assertThatThrownBy(() -> AuditLedgerReader.of("x", endless).next())
                .isInstanceOf(LedgerException.class)
                .hasMessageStartingWith(
                        "ledger x, line 1: expected a line of at most 113 bytes, found a longer one that begins with '1111");
        assertThat(handedOut[0]).isLessThanOrEqualTo(64 * 1024);
    }

    @Test
    void linesAreReadWhereverTheStreamCutsThem() throws Exception {
        StringBuilder text = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= 5_000; i++) {
            String line = "7 " + i + " 0 " + i + " " + i % 1000 + " 0123abcd";
            expected.add(line);
            text.append(line).append('\n');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
        SplittableRandom random = new SplittableRandom(3);
        InputStream cutting = new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] b, int off, int len) {
                return super.read(b, off, Math.min(len, 1 + random.nextInt(40)));
            }
        };
        assertThat(lines(AuditLedgerReader.of("x", cutting))).isEqualTo(expected);
    }

    /** A slice of what the fuzzer does: nothing but the declared exception, and an end. */
    @Test
    void randomBytesAreReadOrRefused() throws Exception {
        long seed = Long.getLong("plog.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        byte[] alphabet = "0123456789abcdef \n\n  x\0".getBytes(StandardCharsets.US_ASCII);
        int refused = 0;
        for (int run = 0; run < 20_000; run++) {
            byte[] bytes = (GOOD + GOOD).getBytes(StandardCharsets.US_ASCII);
            for (int change = random.nextInt(4); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = alphabet[random.nextInt(alphabet.length)];
            }
            try (AuditLedgerReader reader = AuditLedgerReader.of("x", new ByteArrayInputStream(bytes))) {
                assertThat(lines(reader).size()).isLessThanOrEqualTo(2);
            } catch (LedgerException e) {
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("-Dplog.seed=" + seed + ", run " + run, e);
            }
        }
        assertThat(refused).as("-Dplog.seed=%d", seed).isPositive();
    }
}
