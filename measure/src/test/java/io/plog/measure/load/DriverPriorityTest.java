package io.plog.measure.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.plan.LoadMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DriverPriorityTest {
    /** The field of a thread's {@code stat} that names its scheduling policy, counted from the one after its name in brackets. */
    private static final int POLICY = 38;

    private static final String ORDINARY = "0";
    private static final String ROUND_ROBIN = "2";

    private static String policy(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[POLICY];
    }

    private static String ownPolicy() throws IOException {
        return policy(Files.readString(Path.of("/proc/thread-self/stat")));
    }

    @Test
    void theDriverOfTimedLoadsHasItWhileItDrivesAndNoOtherDoes() throws Exception {
        String reported = DriverPriority.description(LoadMode.OPEN);
        String[] ofOther = new String[1];
        DriverPriority priority = DriverPriority.take(LoadMode.OPEN);
        try {
            // A user who may not take it is informed, and drives all the same.
            assertThat(ownPolicy()).isEqualTo(reported.equals("real-time priority") ? ROUND_ROBIN : ORDINARY);
            Thread other = new Thread(() -> {
                try {
                    ofOther[0] = ownPolicy();
                } catch (IOException e) {
                    ofOther[0] = e.toString();
                }
            });
            other.start();
            other.join();
        } finally {
            priority.close();
        }
        assertThat(ofOther[0]).isEqualTo(ORDINARY);
        assertThat(ownPolicy()).isEqualTo(ORDINARY);
        assertThat(reported).matches("real-time priority|ordinary priority \\(.+\\)");
    }

    @Test
    void aClosedLoopHasNoTimesToMiss() throws IOException {
        DriverPriority priority = DriverPriority.take(LoadMode.CLOSED);
        try {
            assertThat(ownPolicy()).isEqualTo(ORDINARY);
        } finally {
            priority.close();
        }
        assertThat(DriverPriority.description(LoadMode.CLOSED)).isEqualTo("ordinary priority");
    }
}
