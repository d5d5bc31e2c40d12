package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.spi.DurableLogProvider;
import io.plog.log.storage.LogException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableLogTest {
    private static final LogOptions OPTIONS =
            LogOptions.in(Path.of("nowhere")).withSegmentBytes(1 << 20).withMaxRecordBytes(1000);

    @TempDir
    private Path directory;

    @Test
    void anAddressOfADirectoryOpensTheLogInIt() throws Exception {
        try (DurableLog log = DurableLog.open(directory.toUri(), OPTIONS)) {
            assertThat(log).isInstanceOf(MessageLog.class);
            assertThat(log.appendAndWait(ByteBuffer.allocate(10))).isEqualTo(1);
        }
    }

    @Test
    void aLogInADirectoryKnowsNoStandbyAndSaysSo() {
        URI address = directory.toUri();
        assertThatThrownBy(() -> DurableLogProvider.of(address).election(address))
                .isInstanceOf(LogException.class)
                .hasMessage(
                        "the log at " + address + " knows no standby: a log of the kind file has one server; leave the"
                                + " standby out, or keep the log on several machines");
    }

    @Test
    void anAddressThatNothingHereCanOpenIsRefusedInOneSentence() {
        assertThatThrownBy(() -> DurableLog.open(URI.create("bookkeeper://zk:2181/r"), OPTIONS))
                .isInstanceOf(LogException.class)
                .hasMessage("no log can be opened at bookkeeper://zk:2181/r: the class path has logs for file; for"
                        + " bookkeeper put the jars of that log on it");
        assertThatThrownBy(() -> DurableLog.open(URI.create("nothing"), OPTIONS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the address of a log, nothing, has no scheme: expected one like file:///DIR");
    }
}
