package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.BookieCluster;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RawConnection;
import io.plog.e2e.support.SystemCommand;
import io.plog.e2e.support.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can be wrong with a log on bookies is said in one sentence, and BookKeeper's own words are in a file that is named. */
@Tag("slow")
@Timeout(300)
class ReplicatedBadInputTest {
    private static final Pattern MESSAGES = Pattern.compile("BookKeeper's own messages go to (\\S+)");

    @TempDir
    Path scratch;

    /** What a server says last that ends with an exit code. */
    private static String refused(int exitCode, Map<String, String> environment, String options, Object... values)
            throws Exception {
        Plog server = Plog.start(environment, "server --port 0 --admin-port 0 " + options, values)
                .exited(exitCode);
        Matcher named = MESSAGES.matcher(server.errText());
        if (exitCode == 1 && named.find()) { // otherwise it was not asked anything
            assertThat(Path.of(named.group(1))).as("what BookKeeper said").exists();
        }
        return server.errText();
    }

    private static String refused(int exitCode, String options, Object... values) throws Exception {
        return refused(exitCode, BookieCluster.ENVIRONMENT, options, values);
    }

    private static TestServer serve(Path scratch, String address) throws Exception {
        return TestServer.start(
                BookieCluster.ENVIRONMENT, scratch, "--log r=%s,service=chain --admin-port free", address);
    }

    @Test
    void whatIsWrongWithAnAddressOrItsLogIsSaidInOneSentence() throws Exception {
        try (BookieCluster bookies = BookieCluster.start(scratch)) {
            String address = bookies.address("orders");
            String plain = address.replaceFirst("\\?.*", "");
            assertThat(refused(1, "--log r=bookkeeper://127.0.0.1:1/orders"))
                    .contains("plog server: no ZooKeeper answers at 127.0.0.1:1 within 10 s: start it");
            assertThat(refused(2, "--log r=%s?copies=3", plain))
                    .contains(
                            "it has the unknown parameter 'copies'; there are [ack, ensemble, write]; expected bookkeeper:");
            try (TestServer server = serve(scratch, address)) {
                Matcher named = MESSAGES.matcher(server.process.errText());
                assertThat(named.find()).isTrue();
                assertThat(Path.of(named.group(1))).exists();
                assertThat(server.stop()).isZero();
                assertThat(Path.of(named.group(1))).as("nothing went wrong").doesNotExist();
            }
            assertThat(refused(1, "--log r=%s?ensemble=4&ack=3,service=chain", plain))
                    .contains(
                            "plog server: log orders was made with ensemble=3, write=3, ack=2, and the address asks for"
                                    + " ensemble=4, write=4, ack=3: ask for the same, or use another name");
            assertThat(refused(1, "--log r=%s,service=invert", address))
                    .contains("its checkpoint at index 0 was made by the service 'chain': expected"
                            + " 'invert'. Serve this log with the service that made it, or use another log");
            assertThat(refused(1, "--standby --log r=%s,service=invert", address))
                    .contains("was made by the service 'chain': expected 'invert'");
            assertThat(refused(
                            1,
                            Map.of("JAVA_TOOL_OPTIONS", "-Dplog.bookkeeper.lib=" + scratch.resolve("nowhere")),
                            "--log r=%s",
                            address))
                    .contains("plog server: BookKeeper is not there: expected its jars in " + scratch.resolve("nowhere")
                            + ". Install the package plog-bookkeeper, or unpack plog-VERSION-bookkeeper.tar.gz in ");
        }
    }

    @Test
    void tooFewBookiesAtTheStartAreSaidInOneSentence() throws Exception {
        try (BookieCluster bookies = BookieCluster.start(scratch)) {
            SystemCommand.signal("-KILL", bookies.pids().get(0));
            SystemCommand.signal("-KILL", bookies.pids().get(1));
            String address = bookies.address("fresh");
            // ZooKeeper counts a bookie as there until its session has ended.
            Await.until(
                    "the bookies are gone",
                    () -> refused(1, "--log r=%s", address).contains("found 1"));
            assertThat(refused(1, "--log r=%s", address))
                    .containsPattern(
                            "plog server: too few bookies are there for log fresh \\(ensemble=3, write=3, ack=2\\):"
                                    + " found 1, expected at least 2, by the ZooKeeper at 127.0.0.1:[0-9]+: start more, or create"
                                    + " a log with a smaller ack quorum");
        }
    }

    /** As root only: each of two bookies has a small file system of its own. */
    @Test
    void aServerWhoseBookiesHaveNoRoomSaysWhatItWaitsFor() throws Exception {
        List<Path> small = new ArrayList<>();
        try {
            for (String bookie : new String[] {"bookie-1", "bookie-2"}) {
                Path own = Files.createDirectories(scratch.resolve("bookies").resolve(bookie));
                assumeTrue(
                        SystemCommand.succeeds("mount", "-t", "tmpfs", "-o", "size=80m", "none", own.toString()),
                        "needs root");
                small.add(own);
            }
            try (BookieCluster bookies = BookieCluster.start(scratch);
                    TestServer server = serve(scratch, bookies.address("orders"));
                    RawConnection client = RawConnection.welcomed(server.port)) {
                byte[] payload = new byte[90_000];
                AtomicInteger number = new AtomicInteger();
                // The log is recovered as long as the bookies have not noticed that they are full.
                Await.until("the disks are full", () -> {
                    status(client, number.incrementAndGet(), payload);
                    return server.process.errText().contains("cannot open its log again (too few bookies are there");
                });
                server.process.awaitErr(line ->
                        line.contains("has too few machines that answer") && line.contains("look at the bookies"));
                assertThat(refused(1, "--log r=%s", bookies.address("fresh")))
                        .contains("too few bookies are there for log fresh (ensemble=3, write=3, ack=2): found ");
            }
        } finally {
            for (Path own : small) {
                SystemCommand.succeeds("umount", "-l", own.toString());
            }
        }
    }

    private static int status(RawConnection client, int number, byte[] payload) throws IOException {
        client.send(RawConnection.request(0, 7, number, payload));
        return client.read().status();
    }
}
