package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.zookeeper.RetryPolicy;
import org.junit.jupiter.api.Test;

/** What the log asks of BookKeeper so that its defect at a change of the journal file is avoided, see {@link JournalChangeTest}. */
class BookKeeperSettingsTest {
    private final ClientConfiguration settings =
            BookKeeperStore.settings(new BookKeeperAddress("zk1:2181,zk2:2181", "orders", null));

    @Test
    void theSecondVersionOfTheProtocolIsSpoken() {
        assertThat(settings.getUseV2WireProtocol()).isTrue();
    }

    /** A bookie whose force at the change fails acknowledges all the same. */
    @Test
    void noBookieIsBelievedAloneWhereThereAreSeveralCopies() {
        assertThat(Quorum.DEFAULT.ack()).isEqualTo(2);
        for (int write = 2; write <= 7; write++) {
            int copies = write;
            assertThatThrownBy(() -> new Quorum(copies, copies, 1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void whatIsLostWithAConnectionIsSentAgainSoon() {
        RetryPolicy retries = new BookKeeperStore.SoonAgain();
        for (int retry = 0; retry < 100; retry++) {
            assertThat(retries.allowRetry(retry, retry * 500L)).isTrue();
            assertThat(retries.nextRetryWaitTime(retry, retry * 500L)).isLessThan(200);
        }
        assertThat(retries.allowRetry(100, 60_000)).as("nobody waits for it").isFalse();
    }

    @Test
    void allServersOfZooKeeperAreAsked() throws Exception {
        assertThat(settings.getMetadataServiceUri()).isEqualTo("zk+hierarchical://zk1:2181;zk2:2181/ledgers");
    }

    /** With no spare bookie the log must go on with what is left. */
    @Test
    void aFailedBookieFailsNoLedger() {
        assertThat(settings.getDelayEnsembleChange()).isTrue();
    }
}
