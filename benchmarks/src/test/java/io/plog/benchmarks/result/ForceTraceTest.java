package io.plog.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ForceTraceTest {
    private static final String MARK =
            "7 openat(AT_FDCWD</w>, \"/d/mark-append\", O_RDONLY) = -1 ENOENT (No such file)";
    private static final String END = "7 openat(AT_FDCWD</w>, \"/d/mark-end\", O_RDONLY) = -1 ENOENT (No such file)";
    private static final String BEGIN =
            "7 openat(AT_FDCWD</w>, \"/d/mark-begin\", O_RDONLY) = -1 ENOENT (No such file)";
    private static final String WRITE = "8 pwrite64(5</d/log>, \"...\"..., 100, 0) = 100";
    private static final String FORCE = "8 fdatasync(5</d/log>) = 0";

    private static ForceTrace.Count count(String... lines) {
        return ForceTrace.count(List.of(lines), "/d");
    }

    @Test
    void eachAppendWithAForceAfterItsWriteIsForced() {
        ForceTrace.Count count = count(MARK, WRITE, FORCE, MARK, WRITE, FORCE, END);
        assertThat(count.appends()).isEqualTo(2);
        assertThat(count.allForced()).isTrue();
        assertThat(count.forcesPerAppend()).isEqualTo(1);
        assertThat(count.callsAsText()).isEqualTo("pwrite64 2, fdatasync 2");
    }

    @Test
    void oneAppendWithoutAForceIsFound() {
        ForceTrace.Count count = count(MARK, WRITE, FORCE, MARK, WRITE, MARK, WRITE, FORCE, FORCE, END);
        assertThat(count.appends()).isEqualTo(3);
        assertThat(count.forcedAppends()).isEqualTo(2);
        assertThat(count.allForced()).isFalse();
    }

    @Test
    void aForceBeforeTheWriteDoesNotCount() {
        assertThat(count(MARK, FORCE, WRITE, END).allForced()).isFalse();
    }

    @Test
    void aForceThatFailedDoesNotCount() {
        assertThat(count(MARK, WRITE, "8 fdatasync(5</d/log>) = -1 EIO (Input/output error)", END)
                        .allForced())
                .isFalse();
    }

    @Test
    void aForceOfAFileElsewhereDoesNotCount() {
        assertThat(count(MARK, WRITE, "8 fdatasync(9</tmp/x>) = 0", END).allForced())
                .isFalse();
    }

    @Test
    void aForceCountsWhenItReturns() {
        String begun = "8 fdatasync(5</d/log> <unfinished ...>";
        String ended = "8 <... fdatasync resumed>) = 0";
        assertThat(count(MARK, WRITE, begun, ended, END).allForced()).isTrue();
        assertThat(count(MARK, WRITE, begun, END, ended).allForced()).isFalse();
    }

    @Test
    void aWriteOfAnotherThreadThatBeginsBeforeTheForceEndsIsNotForced() {
        String begun = "8 fdatasync(5</d/log> <unfinished ...>";
        String write = "9 pwrite64(6</d/log2>, \"...\"..., 100, 0 <unfinished ...>";
        String written = "9 <... pwrite64 resumed>) = 100";
        assertThat(count(MARK, WRITE, begun, "8 <... fdatasync resumed>) = 0", write, written, END)
                        .allForced())
                .isFalse();
    }

    @Test
    void aWriteToASynchronousFileForces() {
        String open = "8 openat(AT_FDCWD</w>, \"/d/log\", O_WRONLY|O_DSYNC|O_CLOEXEC) = 5</d/log>";
        assertThat(count(open, MARK, WRITE, END).allForced()).isTrue();
    }

    @Test
    void aFileNumberThatIsUsedAgainForgetsHowItWasOpened() {
        String open = "8 openat(AT_FDCWD</w>, \"/d/log\", O_WRONLY|O_DSYNC) = 5</d/log>";
        String again = "8 openat(AT_FDCWD</w>, \"/d/log\", O_WRONLY) = 5</d/log>";
        assertThat(count(open, again, MARK, WRITE, END).allForced()).isFalse();
    }

    @Test
    void asynchronousWritesNeedAForceOrASynchronousFile() {
        String submit =
                "8 io_submit(0x7f, 1, [{aio_lio_opcode=IOCB_CMD_PWRITE, aio_fildes=5</d/log>, aio_nbytes=4096}]) = 1";
        assertThat(count(MARK, submit, END).allForced()).isFalse();
        assertThat(count(MARK, submit, FORCE, END).allForced()).isTrue();
    }

    @Test
    void aMapThatIsSynchronisedIsForced() {
        assertThat(count(MARK, "7 msync(0x7f00, 4096, MS_SYNC) = 0", END).allForced())
                .isTrue();
        assertThat(count(MARK, "7 msync(0x7f00, 4096, MS_ASYNC) = 0", END).allForced())
                .isFalse();
    }

    @Test
    void withoutMarksForEachAppendTheForcesAreCounted() {
        assertThat(count(WRITE, WRITE, BEGIN, WRITE, FORCE, WRITE, END, WRITE).allForced())
                .isTrue();
        assertThat(count(BEGIN, WRITE, WRITE, WRITE, FORCE, END).allForced()).isFalse();
        assertThat(count(BEGIN, END).allForced()).isFalse();
    }
}
