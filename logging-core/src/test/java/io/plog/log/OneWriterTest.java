package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.LogFiles;
import io.plog.log.file.ProcessIdentity;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two real processes and one directory. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OneWriterTest {
    @TempDir
    private Path directory;

    /** Opens a log, says how that went, and keeps it open until its input ends. */
    static final class Other {
        private Other() {}

        public static void main(String[] args) throws Exception {
            try (MessageLog log = MessageLog.open(Logs.options(Path.of(args[0])))) {
                System.out.println("opened, record " + log.appendAndWait(Logs.text("of the other")));
                System.in.read();
            } catch (LogException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }

    private Process other() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String firstLine(Process process) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        return String.valueOf(lines.readLine());
    }

    private static void end(Process process) throws Exception {
        process.destroyForcibly().waitFor();
    }

    @Test
    void whoReadsTheLockInTheProcessThatHoldsItDropsItAndASecondProcessIsRefusedAllTheSame() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Logs.appendTexts(log, 1, 1);
            Files.readAllBytes(directory.resolve(LogFiles.LOCK));
            Process second = other();
            assertThat(firstLine(second))
                    .startsWith("LogLockedException: ")
                    .contains("(pid " + ProcessHandle.current().pid() + "), which is still there");
            end(second);
            Logs.appendTexts(log, 2, 3);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 3));
    }

    @Test
    void withTheLocksFileDeletedAProcessThatIsStillThereKeepsOthersOutAndOneThatWasKilledDoesNot() throws Exception {
        Process first = other();
        assertThat(firstLine(first)).isEqualTo("opened, record 1");
        assertThatThrownBy(() -> MessageLog.open(Logs.options(directory)))
                .isInstanceOf(LogLockedException.class)
                .hasMessageContaining("already open by another process (pid " + first.pid() + ")");
        Files.delete(directory.resolve(LogFiles.LOCK));
        assertThatThrownBy(() -> MessageLog.open(Logs.options(directory)))
                .isInstanceOf(LogLockedException.class)
                .hasMessageContaining("(pid " + first.pid() + "), which is still there");
        end(first);
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            assertThat(log.recovery().lastIndex()).isEqualTo(1);
        }
        Process again = other(); // this process is still there, but has closed the log
        assertThat(firstLine(again)).isEqualTo("opened, record 2");
        end(again);
    }

    /** The copy carries the claim of a process that is there; but that one has not opened it. */
    @Test
    void aCopyOfALogThatAProcessHasOpenCanBeOpened() throws Exception {
        Process first = other();
        assertThat(firstLine(first)).isEqualTo("opened, record 1");
        Path copy = Files.createDirectory(directory.resolve("copy"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.*")) {
            for (Path file : files) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        try (MessageLog log = MessageLog.open(Logs.options(copy))) {
            assertThat(log.recovery().lastIndex()).isEqualTo(1);
        }
        Files.delete(directory.resolve(LogFiles.LOCK));
        assertThatThrownBy(() -> MessageLog.open(Logs.options(directory)))
                .isInstanceOf(LogLockedException.class)
                .hasMessageContaining("(pid " + first.pid() + "), which is still there");
        end(first);
    }

    @Test
    void aProcessIsKnownByItsStartAndNotByItsNumberAlone() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "1000").start();
        ProcessIdentity me = ProcessIdentity.current();
        long start = ProcessIdentity.startOf(sleeper.pid());
        assertThat(start).isPositive();
        ProcessIdentity owner = new ProcessIdentity(me.boot(), me.pidNamespace(), sleeper.pid(), start);
        assertThat(owner.isAnotherAlive()).isTrue();
        assertThat(new ProcessIdentity(me.boot(), me.pidNamespace(), sleeper.pid(), start - 1).isAnotherAlive())
                .as("another process had the number before")
                .isFalse();
        assertThat(new ProcessIdentity(UUID.randomUUID(), me.pidNamespace(), sleeper.pid(), start).isAnotherAlive())
                .as("before the machine was started")
                .isFalse();
        assertThat(new ProcessIdentity(me.boot(), me.pidNamespace() + 1, sleeper.pid(), start).isAnotherAlive())
                .as("in another container, where the number means another process")
                .isFalse();
        assertThat(me.isAnotherAlive()).as("this process").isFalse();
        assertThat(new ProcessIdentity(me.boot(), me.pidNamespace(), me.pid(), me.start() - 1).isAnotherAlive())
                .as("the process that had this one's number before")
                .isFalse();
        end(sleeper);
        assertThat(owner.isAnotherAlive()).isFalse();
    }
}
