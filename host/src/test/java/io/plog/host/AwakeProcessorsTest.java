package io.plog.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AwakeProcessorsTest {
    /** The kernel's number for the policy below all others, and where a process's line has it behind the name. */
    private static final String SCHED_IDLE = "5";

    private static final int POLICY = 38;

    private static String policy(long pid) {
        String stat = LinuxFiles.read(Path.of("/proc/" + pid + "/stat"), "");
        String[] words = stat.substring(stat.lastIndexOf(')') + 1).strip().split("\\s+", -1);
        return words.length > POLICY ? words[POLICY] : "";
    }

    @Test
    void theThreadsGiveWayToEverybodyAndAreGoneWhenTheRunIsOver() throws IOException {
        assumeThat(AwakeProcessors.obstacleToSpinning()).isNull();
        AwakeProcessors awake = AwakeProcessors.spin();
        long pid = awake.pid();
        try (awake) {
            while (!policy(pid).equals(SCHED_IDLE)) {
                assertThat(ProcessHandle.of(pid)).as("the process").isPresent();
                Thread.onSpinWait();
            }
            assertThat(awake.fact())
                    .startsWith("yes: ")
                    .contains(Runtime.getRuntime().availableProcessors() + " spinning");
            assertThat(AwakeProcessors.ticks(pid)).isNotNegative();
        }
        assertThat(ProcessHandle.of(pid)).isEmpty();
    }

    /** No right is needed for it: the fallback is for those who may not ask the kernel. */
    @Test
    void whoHasNoRightsCanKeepThemAwakeToo() throws Exception {
        assumeThat(AwakeProcessors.obstacleToSpinning()).isNull();
        List<String> asNobody = List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups");
        assumeThat(exitOf(
                        asNobody,
                        List.of("test", "-r", AwakeProcessors.command(1).get(3))))
                .as("setpriv, the rights of root to give up, and a JDK that everybody may read")
                .isZero();
        List<String> line = new ArrayList<>(asNobody);
        line.addAll(AwakeProcessors.command(1));
        Process process = new ProcessBuilder(line).start();
        try {
            while (!policy(process.pid()).equals(SCHED_IDLE)) {
                assertThat(process.isAlive()).as("the process").isTrue();
                Thread.onSpinWait();
            }
            process.getOutputStream().close();
            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static int exitOf(List<String> before, List<String> command) throws InterruptedException {
        List<String> line = new ArrayList<>(before);
        line.addAll(command);
        try {
            return new ProcessBuilder(line).start().waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void theyEndWithTheProcessThatStartedThemWhoseEndOfThePipeIsClosedThen() throws Exception {
        assumeThat(AwakeProcessors.obstacleToSpinning()).isNull();
        Process process = new ProcessBuilder(AwakeProcessors.command(1)).start();
        process.getOutputStream().close();
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void theKernelIsAskedWhereItAllowsThatAndWhereAnIdleProcessorCanPoll(@TempDir Path machine) throws IOException {
        Path device = machine.resolve("cpu_dma_latency");
        Path state = Files.writeString(machine.resolve("name"), "POLL\n");
        assertThat(LatencyRequest.isPossible(device, state)).as("no device").isFalse();
        Files.createFile(device);
        assertThat(LatencyRequest.isPossible(device, state)).isTrue();
        LatencyRequest.take(device).close();
        assertThat(device).hasBinaryContent(new byte[4]);
        assertThat(LatencyRequest.isPossible(device, Files.writeString(state, "WFI\n")))
                .isFalse();
    }

    @Test
    void theKernelTakesTheRequestWhereItIsPossible() throws IOException {
        assumeThat(LatencyRequest.isPossible(LatencyRequest.DEVICE, LatencyRequest.FIRST_STATE))
                .isTrue();
        LatencyRequest.take(LatencyRequest.DEVICE).close();
        try (AwakeProcessors awake = AwakeProcessors.start()) {
            assertThat(awake.fact()).startsWith("yes: ").contains("latency of 0");
            assertThat(awake.pid())
                    .as("no process has processor time to be distinguished")
                    .isZero();
        }
    }

    @Test
    void theyWouldUseUpALimitOfProcessorTime(@TempDir Path programs) throws IOException {
        Path chrt = Files.createFile(programs.resolve("chrt"));
        assertThat(chrt.toFile().setExecutable(true)).isTrue();
        String path = "/nowhere:" + programs;
        assertThat(AwakeProcessors.obstacle("no limit", "Linux", path)).isNull();
        assertThat(AwakeProcessors.obstacle("unknown", "Linux", path)).isNull();
        assertThat(AwakeProcessors.obstacle("50000 100000", "Linux", path)).contains("50000 100000", "use it up");
        assertThat(AwakeProcessors.obstacle("no limit", "Mac OS X", path)).contains("Linux");
        assertThat(AwakeProcessors.obstacle("no limit", "Linux", "/nowhere")).contains("chrt");
    }

    @Test
    void aProcessHasTheTimeOfUserAndSystemTogether() {
        String stat = "7 (a (b) c) S 1 1 1 0 -1 4 10 0 0 0 31 11 0 0 20 0 3 0 99";
        assertThat(AwakeProcessors.ticks(stat)).isEqualTo(42);
        assertThat(AwakeProcessors.ticks("")).isEqualTo(-1);
        assertThat(AwakeProcessors.ticks("7 (x) S 1 1 1 0 -1 4 10 0 0 0 a b")).isEqualTo(-1);
    }
}
