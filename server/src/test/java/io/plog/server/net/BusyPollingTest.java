package io.plog.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import io.plog.server.monitoring.EventLoopCounts;
import org.junit.jupiter.api.Test;

class BusyPollingTest {
    private static final int LOOKED = 0;

    private final BusyPolling polling = new BusyPolling(new EventLoopCounts(), 2);

    private int next(SelectStrategy loop) throws Exception {
        return loop.calculateStrategy(() -> LOOKED, false);
    }

    @Test
    void aLoopLooksForTheReplyOfARequestThatIsWithItsLogAndSleepsUntilTheNextRequest() throws Exception {
        SelectStrategy loop = polling.newSelectStrategy();
        assertThat(next(loop)).isEqualTo(SelectStrategy.SELECT);
        polling.began();
        assertThat(next(loop)).isEqualTo(LOOKED);
        polling.ended(1);
        assertThat(next(loop)).as("as after a request that was not logged").isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void aLoopDoesNotLookForRepliesOfAnother() throws Exception {
        Thread other = new Thread(polling::began);
        other.start();
        other.join();
        assertThat(next(polling.newSelectStrategy())).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void withManyRequestsUnderWayItSleeps() throws Exception {
        SelectStrategy loop = polling.newSelectStrategy();
        for (int i = 0; i < BusyPolling.MOST_DUE; i++) {
            polling.began();
        }
        assertThat(next(loop)).isEqualTo(LOOKED);
        polling.began();
        assertThat(next(loop)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void aSingleProcessorIsLeftToTheLog() throws Exception {
        BusyPolling single = new BusyPolling(new EventLoopCounts(), 1);
        single.began();
        assertThat(next(single.newSelectStrategy())).isEqualTo(SelectStrategy.SELECT);
        assertThat(single.fact()).contains("one processor", "whatever the target");
    }
}
