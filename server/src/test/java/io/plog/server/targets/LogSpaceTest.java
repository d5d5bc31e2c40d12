package io.plog.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.server.monitoring.ServerNotices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LogSpaceTest {
    private final IOException full = new IOException("No space left on device");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ServerNotices notices = new ServerNotices(out, () -> 0);
    private final LogSpace space = new LogSpace("a", "/srv/a", false, notices, () -> 1_000);

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void aLogThatHasRoomInItsSegmentTakesRequests() {
        space.notPrepared(full);
        assertThat(space.problem()).isNull();
        assertThat(lines()).hasSize(1);
        assertThat(lines().get(0))
                .contains("target a", "/srv/a", "(No space left on device)", "once the present one is full");
    }

    @Test
    void theFirstRefusalIsReportedOnceAndHealthSaysSinceWhen() {
        space.notPrepared(full);
        for (int i = 0; i < 1_000; i++) {
            space.refused();
        }
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(1)).contains("target a: requests are refused from now on (LOG_FULL)", "No space left");
        assertThat(space.problem())
                .contains("target a in /srv/a has refused requests since 1970-01-01T00:00:01.000Z", "(No space left");
    }

    @Test
    void theEndIsReportedWithHowManyWereRefused() {
        space.notPrepared(full);
        space.refused();
        space.refused();
        space.prepared();
        assertThat(space.problem()).isNull();
        assertThat(lines()).hasSize(3);
        assertThat(lines().get(2)).endsWith("target a: its log in /srv/a takes requests again; 2 were refused");
        space.prepared();
        assertThat(lines()).hasSize(3);
    }

    @Test
    void aRefusalThatIsReportedWhenThereIsSpaceAgainChangesNothing() {
        space.notPrepared(full);
        space.prepared();
        space.refused();
        assertThat(space.problem()).isNull();
    }

    @Test
    void ofSeveralDirectoriesOneMayHaveSpaceWhileAnotherRefuses() {
        LogSpace striped = new LogSpace("a", "/srv/a+/srv/b", true, notices, () -> 1_000);
        striped.notPrepared(full);
        striped.prepared();
        striped.refused();
        assertThat(striped.problem()).contains("/srv/a+/srv/b");
    }

    @Test
    void theLineSaysWhatToDo() {
        for (String[] each : new String[][] {
            {"No space left on device", "Make space, or delete files if it is inodes that are used up (df -i)"},
            {"Too many open files", "Raise the limit of open files (ulimit -n)"},
            {"creation of /srv/a/2.seg.tmp: Permission denied", "Make the directory writable"},
            {"Cannot allocate memory", "Give the machine more memory"}
        }) {
            space.notPrepared(new IOException(each[0]));
            assertThat(lines().get(lines().size() - 1)).contains(each[0]).endsWith(each[1]);
        }
    }

    @Test
    void aFileThatIsMissingOrForbiddenIsSaidSo() {
        assertThat(LogSpace.reasonOf(new NoSuchFileException("/x"))).isEqualTo("/x: no such file or directory");
        assertThat(LogSpace.reasonOf(new AccessDeniedException("/x"))).isEqualTo("/x: permission denied");
        IOException said = new AccessDeniedException("creation of /x: Permission denied");
        said.initCause(new AccessDeniedException("/x"));
        assertThat(LogSpace.reasonOf(said)).isEqualTo("creation of /x: Permission denied");
        assertThat(LogSpace.reasonOf(new IllegalStateException())).isEqualTo("java.lang.IllegalStateException");
    }
}
