package io.plog.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LingeringCloseTest {
    @Test
    void aSlowClientGetsTheWholeOfItsLastAnswer() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        ChannelPromise written = channel.newPromise();

        LingeringClose.after(channel, written);
        channel.advanceTimeBy(1, TimeUnit.MINUTES);
        channel.runScheduledPendingTasks();
        assertThat(channel.isOpen()).isTrue();

        written.setSuccess();
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isFalse();
    }
}
