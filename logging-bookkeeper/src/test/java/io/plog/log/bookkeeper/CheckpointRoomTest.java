package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.storage.LogException;
import org.junit.jupiter.api.Test;

class CheckpointRoomTest {
    @Test
    void aStateThatTheHeapCannotHoldIsRefusedWithWhatToDo() throws Exception {
        assertThat(CheckpointLedger.room(100, 101).remaining()).isEqualTo(100);
        assertThatThrownBy(() -> CheckpointLedger.room(100, 100))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("a state of 100 bytes")
                .hasMessageContaining("-Xmx");
        assertThatThrownBy(() ->
                        CheckpointLedger.room(Integer.MAX_VALUE, Long.MAX_VALUE)) // no JVM has arrays of that length
                .isInstanceOf(LogException.class)
                .hasCauseInstanceOf(OutOfMemoryError.class);
    }
}
