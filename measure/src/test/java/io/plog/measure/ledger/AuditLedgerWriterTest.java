package io.plog.measure.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLedgerWriterTest {
    private static final long NEVER = 3_600_000;
    private static final long EACH = 0;

    @TempDir
    private Path directory;

    /** A file in memory that keeps what is forced apart, and fails when asked. */
    private static final class FakeFile implements LedgerFile {
        private final StringBuilder written = new StringBuilder();
        private String forced = "";
        private int forces;
        private boolean closed;
        private volatile @Nullable String failWrite;
        private volatile @Nullable String failForce;
        private final CountDownLatch somethingForced = new CountDownLatch(1);
        private final CountDownLatch somethingFailed = new CountDownLatch(1);

        @Override
        public synchronized void append(ByteBuffer bytes) throws IOException {
            fail(failWrite);
            written.append(StandardCharsets.US_ASCII.decode(bytes));
        }

        @Override
        public synchronized void force() throws IOException {
            fail(failForce);
            forces++;
            forced = written.toString();
            if (!forced.isEmpty()) {
                somethingForced.countDown();
            }
        }

        private void fail(@Nullable String why) throws IOException {
            if (why != null) {
                somethingFailed.countDown();
                throw new IOException(why);
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
        }
    }

    private final FakeFile file = new FakeFile();

    private AuditLedgerWriter writer(long forceMillis) {
        return new AuditLedgerWriter("l", file, forceMillis);
    }

    private static LedgerOptions options(Path ledger) {
        return new LedgerOptions(ledger, false);
    }

    @Test
    void eachLineIsForcedBeforeAddReturnsIfAskedFor() throws Exception {
        try (AuditLedgerWriter writer = writer(EACH)) {
            for (int i = 1; i <= 3; i++) {
                writer.add(7, i, 0, i, 100, 0x0123abcd);
                assertThat(file.forced.lines()).hasSize(i);
            }
        }
        assertThat(file.forced).isEqualTo("7 1 0 1 100 0123abcd\n7 2 0 2 100 0123abcd\n7 3 0 3 100 0123abcd\n");
        assertThat(file.forces).isEqualTo(3);
        assertThat(file.closed).isTrue();
    }

    @Test
    void linesAreForcedWithinTheIntervalByThemselves() throws Exception {
        try (AuditLedgerWriter writer = writer(1)) {
            writer.add(7, 1, 0, 1, 100, 0);
            file.somethingForced.await();
            assertThat(file.forced).isEqualTo("7 1 0 1 100 00000000\n");
        }
    }

    @Test
    void closeForcesWhatIsLeft() throws Exception {
        try (AuditLedgerWriter writer = writer(NEVER)) {
            writer.add(-1, -2, 65535, Long.MAX_VALUE, Integer.MAX_VALUE, -1);
            assertThat(file.forced).isEmpty();
            assertThat(file.written).isEmpty();
        }
        assertThat(file.forced)
                .isEqualTo("18446744073709551615 18446744073709551614 65535 9223372036854775807 2147483647 ffffffff\n");
    }

    @Test
    void aFullBufferIsWrittenInWholeLines() throws Exception {
        List<String> expected = new ArrayList<>();
        try (AuditLedgerWriter writer = writer(NEVER)) {
            for (int i = 1; i <= 5_000; i++) {
                writer.add(7, i, 0, i, 100, i);
                expected.add(String.format("7 %d 0 %d 100 %08x", i, i, i));
                assertThat(file.written.isEmpty() || file.written.charAt(file.written.length() - 1) == '\n')
                        .isTrue();
            }
        }
        assertThat(file.forced.lines()).containsExactlyElementsOf(expected);
    }

    @Test
    void afterAFailedForceNothingSucceedsAnyMore() throws Exception {
        AuditLedgerWriter writer = writer(EACH);
        writer.add(7, 1, 0, 1, 100, 0);
        file.failForce = "Input/output error";
        assertThatThrownBy(() -> writer.add(7, 2, 0, 2, 100, 0))
                .isInstanceOf(LedgerException.class)
                .hasMessage("ledger l could not be forced (Input/output error); the acknowledgements since its last"
                        + " force may be missing in it");
        file.failForce = null;
        assertThatThrownBy(() -> writer.add(7, 3, 0, 3, 100, 0)).hasMessageContaining("Input/output error");
        assertThatThrownBy(writer::close).hasMessageContaining("Input/output error");
        assertThat(file.forces).isEqualTo(1);
        assertThat(file.closed).isTrue();
    }

    @Test
    void aFailureInTheBackgroundIsThrownByTheNextCall() throws Exception {
        AuditLedgerWriter writer = writer(1);
        file.failWrite = "No space left on device";
        writer.add(7, 1, 0, 1, 100, 0);
        file.somethingFailed.await();
        assertThatThrownBy(writer::close)
                .isInstanceOf(LedgerException.class)
                .hasMessageStartingWith("ledger l could not be written (No space left on device)");
        assertThat(file.closed).isTrue();
    }

    @Test
    void aFailureSurvivesTryWithResources() {
        file.failForce = "Input/output error";
        assertThatThrownBy(() -> {
                    try (AuditLedgerWriter writer = writer(EACH)) {
                        writer.add(7, 1, 0, 1, 100, 0);
                    }
                })
                .isInstanceOf(LedgerException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }

    @Test
    void aLedgerIsContinuedAfterItsLastWholeLine() throws Exception {
        Path ledger = directory.resolve("ledger");
        Files.writeString(ledger, "7 1 0 1 100 0123abcd\n7 2 0 2 1");
        try (AuditLedgerWriter writer = AuditLedgerWriter.open(options(ledger))) {
            writer.add(7, 2, 0, 2, 100, 0x0123abcd);
        }
        assertThat(ledger).hasContent("7 1 0 1 100 0123abcd\n7 2 0 2 100 0123abcd\n");
        AuditLedgerWriter.open(options(ledger)).close();
        assertThat(ledger).hasContent("7 1 0 1 100 0123abcd\n7 2 0 2 100 0123abcd\n");
    }

    @Test
    void aLedgerOfALaterVersionIsNotTouched() throws Exception {
        String later = "plog-ledger 2\n7 1 0 1 100 0123abcd\n7 2";
        Path file = Files.writeString(directory.resolve("later"), later);
        assertThatThrownBy(() -> AuditLedgerWriter.open(options(file)))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("it was written by a newer plog (ledger format 2, this one reads 1)");
        assertThat(file).hasContent(later);
    }

    @Test
    void aFileThatIsNoLedgerIsNotTouched() throws Exception {
        for (String text : List.of("a letter to grandmother", "x".repeat(1_000), "0".repeat(1_000))) {
            Path file = Files.writeString(directory.resolve("file"), text);
            assertThatThrownBy(() -> AuditLedgerWriter.open(options(file)))
                    .isInstanceOf(LedgerException.class)
                    .hasMessage("ledger " + file
                            + " cannot be opened: it does not end as a ledger does; is it another file?");
            assertThat(file).hasContent(text);
        }
    }

    @Test
    void aLedgerHasOneWriter() throws Exception {
        LedgerOptions options = options(directory.resolve("ledger"));
        try (AuditLedgerWriter first = AuditLedgerWriter.open(options)) {
            assertThatThrownBy(() -> AuditLedgerWriter.open(options))
                    .hasMessageContaining("somebody else is writing it");
            first.add(7, 1, 0, 1, 100, 0);
        }
        AuditLedgerWriter.open(options).close();
    }

    @Test
    void aDirectoryThatIsNotThereIsSaid() {
        Path nowhere = directory.resolve("nowhere/ledger");
        assertThatThrownBy(() -> AuditLedgerWriter.open(options(nowhere)))
                .hasMessage("ledger " + nowhere + " cannot be opened: no such directory");
    }
}
