package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.server.monitoring.ServerNotices;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What reports a failure needs no file that is not open yet: there may be no descriptor left for it. */
@Timeout(60)
final class ReportingPreloadTest {
    /** A process of its own that serves, takes every file descriptor there is, and has something to report. */
    static final class WithoutDescriptors {
        private WithoutDescriptors() {}

        @SuppressWarnings("CatchAndPrintStackTrace") // what fails here is what the test is about
        public static void main(String[] args) throws Exception {
            PlogServer server = PlogServer.start(
                    ServerOptions.of(List.of(TargetOptions.unlogged("off"))).withPorts(0, ServerOptions.NO_ADMIN));
            List<InputStream> taken = new ArrayList<>();
            takeAll(taken);
            Throwable failure = null;
            try {
                // As the libraries below the server do.
                Logger.getLogger("io.netty").log(Level.WARNING, "reported by a library", new IOException("nothing"));
                ServerNotices.standardError().say("reported by the server", new IOException("nothing"));
            } catch (Throwable e) {
                failure = e;
            }
            for (InputStream each : taken) {
                each.close();
            }
            if (failure != null) {
                failure.printStackTrace();
            }
            server.close();
            System.exit(failure == null ? 0 : 1);
        }

        private static void takeAll(List<InputStream> taken) throws IOException {
            while (true) {
                try {
                    taken.add(new FileInputStream("/dev/null"));
                } catch (FileNotFoundException e) { // Too many open files
                    return;
                }
            }
        }
    }

    @Test
    void aServerThatHasNoDescriptorLeftCanReport() throws Exception {
        Process process = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "ulimit -n 256; exec \"$0\" \"$@\"",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+PerfDisableSharedMem",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WithoutDescriptors.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("exit code of a process that said:\n%s", said)
                .isZero();
        assertThat(said).contains("WARNING: reported by a library", "reported by the server: java.io.IOException");
    }
}
