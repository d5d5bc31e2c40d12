package io.plog.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.file.Payload;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckedCopyTest {
    private static final int BYTES = 12_000;

    /** Each copies more, so that what copies is interpreted at first and compiled by the best compiler at last. */
    private static final int ROUNDS = 25;

    private static final int COPIES_OF_ROUND = 2_000;
    private static final int CUTS_OF_ROUND = 20;

    private final CheckedCopy copy = new CheckedCopy(ByteBuffer.allocateDirect(BYTES));

    @SuppressWarnings("UnusedVariable")
    private volatile Object made = "";

    /** An error that came in the middle of what the log does next would leave it half done, a lock held. */
    @Test
    void theErrorOfAMappedFileThatWasCutComesInTheCopyAndNotLater(@TempDir Path elsewhere) throws Exception {
        ByteBuffer whole = ByteBuffer.allocateDirect(BYTES).put(0, new byte[] {1});
        int crc = Payload.crcOf(whole.duplicate());
        int late = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < COPIES_OF_ROUND; i++) {
                assertThat(copy.copy(new Payload().set(whole, null, 0, BYTES, crc), 0))
                        .isNull();
                assertThat(copy.copy(new Payload().set(whole, null, 0, 1, crc), 0))
                        .isNotNull();
                enterRuntime();
            }
            late += lateOfCuts(elsewhere.resolve("mapped"), crc);
        }
        assertThat(late).isZero();
    }

    private int lateOfCuts(Path path, int crc) throws Exception {
        int late = 0;
        for (int i = 0; i < CUTS_OF_ROUND; i++) {
            try {
                assertThat(copyOfCutFile(path, crc))
                        .isInstanceOf(LogRefusedException.RecordChanged.class)
                        .hasMessageContaining("is not readable any more");
                enterRuntime();
            } catch (InternalError e) {
                late++;
            }
        }
        return late;
    }

    private LogException copyOfCutFile(Path path, int crc) throws Exception {
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
            file.truncate(0);
            // Other bytes than those that it has to be: the same ones would be no harm.
            LogException reported = copy.copy(new Payload().set(ByteBuffer.allocate(BYTES), null, 0, BYTES, 0), 0);
            assertThat(reported).hasMessageContaining("gave crc");
            return Objects.requireNonNull(copy.copy(new Payload().set(mapped, null, 0, BYTES, crc), 0));
        }
    }

    /** Where a virtual machine throws what it has kept. */
    private void enterRuntime() {
        made = new int[4][4][4];
    }
}
