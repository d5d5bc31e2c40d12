package io.plog.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three processes with SOFAJRaft on plog: what one acknowledged is in all, in one order, though each leader is killed under load. */
@Tag("slow")
@Timeout(300)
final class JRaftKillTest {
    private static final int KILLS = 6;

    @TempDir
    Path directory;

    private final List<String> addresses = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<String> acknowledged = new ArrayList<>();
    private int leads = -1; // who said so last

    private final class Node {
        final Process process;
        List<String> all = List.of();
        int applied;
        boolean idle;
        private final Thread reading;

        Node(int number) throws IOException {
            process = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElseThrow(),
                            "-Xmx128m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            JRaftProcess.class.getName(),
                            Files.createDirectories(directory.resolve("" + number))
                                    .toString(),
                            addresses.get(number),
                            String.join(",", addresses))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            reading = new Thread(() -> read(number), "node " + number);
            reading.start();
        }

        private void read(int number) {
            try (BufferedReader lines = process.inputReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    synchronized (acknowledged) {
                        if (line.startsWith("acknowledged ")) {
                            acknowledged.add(line.substring("acknowledged ".length()));
                        } else if (line.equals("leads")) {
                            leads = number;
                        } else if (line.startsWith("all ")) {
                            all = List.of(line.substring("all ".length()).split(" "));
                        } else if (line.startsWith("applied ")) {
                            applied = Integer.parseInt(line.substring("applied ".length()));
                        } else if (line.equals("idle")) {
                            idle = true;
                        }
                        acknowledged.notifyAll();
                    }
                }
            } catch (IOException killed) {
                // what it had printed was read
            }
        }

        void say() throws IOException {
            process.outputWriter().append('\n').flush();
        }
    }

    @Test
    void whatALeaderAcknowledgedBeforeItWasKilledIsInEveryNode() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (ServerSocket socket = new ServerSocket(0)) {
                addresses.add("127.0.0.1:" + socket.getLocalPort());
            }
        }
        try {
            for (int i = 0; i < 3; i++) {
                nodes.add(new Node(i));
            }
            for (int kill = 0; kill <= KILLS; kill++) {
                int enough = acknowledged.size() + 500;
                await(() -> leads >= 0 && acknowledged.size() >= enough);
                if (kill < KILLS) {
                    int leader = leads;
                    leads = -1; // the next one says so
                    nodes.get(leader).process.destroyForcibly().waitFor(); // SIGKILL
                    nodes.get(leader).reading.join();
                    nodes.set(leader, new Node(leader));
                }
            }
            for (Node node : nodes) {
                node.say(); // no more load
            }
            await(() -> nodes.stream().anyMatch(node -> node.idle)
                    && nodes.stream().mapToInt(node -> node.applied).distinct().count() == 1);
            for (Node node : nodes) {
                node.say();
                node.reading.join();
                assertThat(node.all).containsAll(acknowledged).isEqualTo(nodes.get(0).all);
            }
        } finally {
            nodes.forEach(node -> node.process.destroyForcibly());
        }
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        synchronized (acknowledged) {
            while (!condition.getAsBoolean()) {
                acknowledged.wait();
            }
        }
    }
}
