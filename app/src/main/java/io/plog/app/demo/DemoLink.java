package io.plog.app.demo;

import io.plog.measure.HostPort;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The link between a demo's server and client: the loopback, or one of 1 Gbit/s between two network namespaces, joined by a pair of
 * virtual interfaces that a token bucket limits in both directions. Closing it removes the namespaces; so does the end of this
 * process.
 *
 * @param serverAddress where the server listens
 * @param atServer what a command line of the server begins with
 * @param serverOptions the server's own: nobody but its client is in a network of its own
 * @param atClient what a command line of the client begins with
 * @param namespaces to be removed
 */
record DemoLink(
        String serverAddress,
        List<String> atServer,
        List<String> serverOptions,
        List<String> atClient,
        List<String> namespaces)
        implements Closeable {
    /** The only limit that there is: that of the book's switch. */
    static final String GIGABIT = "1gbit";

    private static final String LOOPBACK = "127.0.0.1";
    private static final String SERVER = "10.77.0.1";
    private static final String CLIENT = "10.77.0.2";

    /** Large segments would pass the bucket as one packet; a real interface sends them one by one. */
    private static final List<String> ONE_BY_ONE = List.of("gso_max_size", "1514", "gso_max_segs", "1");

    /** Every kernel has Reno. What the machine prefers may pace itself: BBR takes twice as long for 100 kB. */
    private static final String UNPACED = "echo reno > /proc/sys/net/ipv4/tcp_congestion_control";

    /**
     * Refuses what cannot be made here.
     *
     * @param rate {@link #GIGABIT}; null for the loopback
     * @throws IllegalArgumentException if it is another rate
     * @throws IOException if something is missing; the message says what
     */
    static void check(@Nullable String rate) throws IOException {
        if (rate != null) {
            check(rate, (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid"), System.getenv("PATH"));
        }
    }

    /**
     * Makes it.
     *
     * @param rate checked
     * @throws IOException if it cannot be made
     */
    static DemoLink open(@Nullable String rate) throws IOException, InterruptedException {
        if (rate == null) {
            return new DemoLink(LOOPBACK, List.of(), List.of(), List.of(), List.of());
        }
        long pid = ProcessHandle.current().pid();
        String server = "plog-server-" + pid;
        String client = "plog-client-" + pid;
        DemoLink link =
                new DemoLink(SERVER, within(server), List.of("--insecure"), within(client), List.of(server, client));
        Runtime.getRuntime().addShutdownHook(new Thread(link::close, "plog-link"));
        try {
            for (List<String> command : commands(server, client)) {
                run(command);
            }
            return link;
        } catch (IOException | InterruptedException e) {
            link.close();
            throw e;
        }
    }

    /**
     * Refuses what cannot be made.
     *
     * @param uid of this user
     * @param path where commands are looked for
     */
    static void check(String rate, int uid, @Nullable String path) throws IOException {
        if (!rate.equals(GIGABIT)) {
            throw new IllegalArgumentException("--link is " + rate + ": expected " + GIGABIT);
        }
        if (uid != 0) {
            throw new IOException("--link makes network namespaces, which takes the rights of root");
        }
        for (String command : List.of("ip", "tc")) {
            if (path == null
                    || Stream.of(path.split(":")).noneMatch(each -> Files.isExecutable(Path.of(each, command)))) {
                throw new IOException("--link needs " + command + ", which is not there: install iproute2");
            }
        }
    }

    private static List<String> within(String namespace) {
        return List.of("ip", "netns", "exec", namespace);
    }

    /** What makes it, step by step. */
    static List<List<String>> commands(String server, String client) {
        List<List<String>> commands = new ArrayList<>();
        commands.add(List.of("ip", "netns", "add", server));
        commands.add(List.of("ip", "netns", "add", client));
        commands.add(List.of(
                "ip", "link", "add", "plog-s", "netns", server, "type", "veth", "peer", "name", "plog-c", "netns",
                client));
        side(commands, server, "plog-s", SERVER);
        side(commands, client, "plog-c", CLIENT);
        return commands;
    }

    private static void side(List<List<String>> commands, String space, String device, String address) {
        commands.add(List.of("ip", "-n", space, "link", "set", "lo", "up"));
        commands.add(List.of("ip", "-n", space, "address", "add", address + "/24", "dev", device));
        commands.add(List.of("ip", "-n", space, "link", "set", device, "up"));
        commands.add(Stream.concat(Stream.of("ip", "-n", space, "link", "set", device), ONE_BY_ONE.stream())
                .toList());
        commands.add(List.of("ip", "netns", "exec", space, "sh", "-c", UNPACED));
        commands.add(List.of(
                "tc", "-n", space, "qdisc", "add", "dev", device, "root", "tbf", "rate", GIGABIT, "burst", "15k",
                "latency", "50ms"));
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException("--link: " + String.join(" ", command) + " failed: "
                    + said.lines().findFirst().orElse("it said nothing"));
        }
    }

    HostPort server(int port) {
        return new HostPort(serverAddress, port);
    }

    /** Removes the namespaces, and with them all that is in them; what is gone already is no failure. */
    @Override
    public void close() {
        for (String space : namespaces) {
            try {
                new ProcessBuilder("ip", "netns", "del", space)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
            } catch (IOException e) {
                // Without ip there is no namespace.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
