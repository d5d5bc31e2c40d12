package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LedgerListTest {
    private static final LedgerList LIST = new LedgerList(
            new UUID(1, 2),
            new UUID(3, 4),
            9,
            Quorum.DEFAULT,
            List.of(new LedgerList.Part(12, 1, 0, 700), new LedgerList.Part(15, 8, 4, 0)),
            new LedgerList.Pointer(14, 7),
            Set.of(11L),
            Map.of(12L, 1_795_000_000L));

    @Test
    void aListIsReadAsItWasWritten() throws Exception {
        assertThat(LedgerList.decode("r", LIST.encode())).isEqualTo(LIST);
        assertThat(LIST.encode()).startsWith("plog-log 1\n").contains("\nledger 12 1 0 700\nledger 15 8 4 0\n");
    }

    @Test
    void everyChangedByteIsNoticed() {
        String text = LIST.encode();
        for (int i = "plog-log ".length() + 1; i < text.length(); i++) {
            String changed = text.substring(0, i) + (char) (text.charAt(i) ^ 1) + text.substring(i + 1);
            assertThatThrownBy(() -> LedgerList.decode("r", changed)).isInstanceOf(LogDamagedException.class);
        }
    }

    @Test
    void aListOfANewerVersionIsRefusedInOneSentence() {
        assertThatThrownBy(() -> LedgerList.decode("r", LIST.encode().replace("plog-log 1", "plog-log 2")))
                .isInstanceOf(LogException.class)
                .isNotInstanceOf(LogDamagedException.class)
                .hasMessage("log r was written by a newer version (its list has form 2, this program knows 1): use that"
                        + " version");
    }

    @Test
    void aLedgerWithoutEntriesLeavesTheListForTheGarbage() {
        LedgerList next = LIST.followedBy(16, 8, 5, 0);
        assertThat(next.ledgers()).extracting(LedgerList.Part::ledger).containsExactly(12L, 16L);
        assertThat(next.garbage()).containsExactlyInAnyOrder(11L, 15L);
    }

    @Test
    void onlyLedgersWhoseRecordsAllLieBeforeTheIndexAreDropped() {
        assertThat(LIST.withoutBefore(7).ledgers()).hasSize(2);
        assertThat(LIST.withoutBefore(8).ledgers())
                .extracting(LedgerList.Part::ledger)
                .containsExactly(15L);
        assertThat(LIST.withoutBefore(100).firstIndex()).isEqualTo(8);
    }

    @Test
    void aFenceIsRememberedForItsTime() {
        assertThat(LIST.withoutFencesBefore(1_795_000_000L).fenced()).isNotEmpty();
        assertThat(LIST.withoutFencesBefore(1_795_000_001L).fenced()).isEmpty();
    }
}
