package io.plog.e2e;

import static io.plog.e2e.DocumentedMachines.BOOKIE;
import static io.plog.e2e.DocumentedMachines.SERVER;
import static io.plog.e2e.DocumentedMachines.ZOOKEEPER;
import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.BookieCluster;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.Words;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code docs/machines.md} shows is there, and its three machines serve, are upgraded, and lose one of them. */
final class MachinesTest {
    private static final Pattern FENCED = Pattern.compile("(?ms)^```\\n(.*?)^```$");
    private static final Pattern SETTING = Pattern.compile("(?m)^([a-z][\\w.]*)=");
    private static final Pattern PROPERTY = Pattern.compile("-D([\\w.-]+)");
    private static final Pattern CLASS = Pattern.compile("\\borg\\.apache\\.[a-z.]+\\.[A-Z]\\w+");

    /** Of the JDK and of SLF4J's simple logger, whose names are not in these jars or are put together. */
    private static final Set<String> OF_OTHERS = Set.of(
            "java.security.auth.login.config", "jdk.nio.maxCachedBufferSize", "org.slf4j.simpleLogger.defaultLogLevel");

    private static final String LOG = "bookkeeper://10.0.0.1:2181,10.0.0.2:2181,10.0.0.3:2181/orders";

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @Test
    void everySettingPropertyAndClassOfThePageIsOneOfTheServersThatItStarts() throws Exception {
        String classes = classes();
        Set<String> unknown = new TreeSet<>();
        int known = 0;
        for (String name : names()) {
            // ZooKeeper puts the names of these together.
            String part = name.replaceFirst("^(zookeeper\\.)?ssl\\.(quorum\\.)?", "")
                    .replaceFirst("^authProvider\\.sasl$", "authProvider.")
                    .replaceFirst("^server\\.[123]$", "server.");
            if (isConstant(part, classes) || isConstant("zookeeper." + part, classes) || OF_OTHERS.contains(name)) {
                known++;
            } else {
                unknown.add(name);
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(known).isGreaterThan(60);
    }

    /** Whether it is one, and not a part of one: before a constant in a class stands its length. */
    private static boolean isConstant(String text, String classes) {
        return classes.contains("" + (char) (text.length() >> 8) + (char) (text.length() & 0xff) + text);
    }

    private static Set<String> names() throws IOException {
        String page = DocumentedMachines.page();
        Set<String> names = new TreeSet<>();
        FENCED.matcher(page)
                .results()
                .map(block -> block.group(1))
                .forEach(block -> SETTING.matcher(block).results().forEach(setting -> names.add(setting.group(1))));
        names.removeIf(name -> name.equals("username") || name.equals("password")); // of a JAAS module
        PROPERTY.matcher(page).results().forEach(property -> names.add(property.group(1)));
        names.removeIf(name -> name.equals("artifact") || name.equals("outputDirectory")); // of Maven
        CLASS.matcher(page).results().forEach(each -> names.add(each.group().replace('.', '/')));
        return names;
    }

    /** Of ZooKeeper and BookKeeper: what is in their classes, with the names of these. */
    private static String classes() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> jars = Files.list(DocumentedMachines.jars())) {
            List<Path> wanted = jars.filter(
                            jar -> jar.getFileName().toString().matches("(zookeeper|bookkeeper-).*\\.jar"))
                    .toList();
            assertThat(wanted).hasSizeGreaterThan(3);
            for (Path jar : wanted) {
                try (JarFile file = new JarFile(jar.toFile())) {
                    for (var entry : file.stream().toList()) {
                        try (InputStream in = file.getInputStream(entry)) {
                            all.append(entry.getName()).append('\n');
                            all.append(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
                        }
                    }
                }
            }
        }
        return all.toString();
    }

    /** The tests below are on loopback, where a server listens without TLS and {@code --insecure}, too. */
    @Test
    void theServerOfThePageMayListenOnItsAddress() {
        String options = DocumentedMachines.page()
                .lines()
                .filter(line -> line.contains("-jar /opt/plog/plog.jar server "))
                .map(line -> line.replaceFirst(".* server --standby(.*) --log r=bookkeeper.*", "$1"))
                .findFirst()
                .orElseThrow();
        LocalRun.of("server --check --bind 10.0.0.1 --admin-bind 10.0.0.1 --unlogged " + options)
                .exited(0);
    }

    @Test
    @Tag("slow") // ten JVMs, some minutes on two processors
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void threeMachinesServeAreRestartedOneByOneUnderLoadAndLoseOne() throws Exception {
        try (DocumentedMachines machines =
                new DocumentedMachines(Files.createDirectory(directory.resolve("machines")), "none")) {
            startAll(machines);
            Path ledger = directory.resolve("run.ledger");
            String servers = machines.address("10.0.0.1:7411,10.0.0.2:7411,10.0.0.3:7411");
            try (Plog load = Plog.start(
                    "load --server %s --mode open --rate 50 --connections 4 --duration 30m --ledger %s" + " --out %s",
                    servers, ledger, directory.resolve("run"))) {
                awaitMore(ledger);
                for (int machine : inOrder(machines, ZOOKEEPER)) {
                    machines.restart(machine, ZOOKEEPER);
                    awaitZooKeeper(machines);
                    awaitMore(ledger);
                }
                for (int machine = 1; machine <= 3; machine++) {
                    machines.restart(machine, BOOKIE);
                    awaitBookies(machines);
                    awaitMore(ledger);
                }
                for (int machine : inOrder(machines, SERVER)) {
                    machines.restart(machine, SERVER);
                    awaitServers(machines, 3);
                    awaitMore(ledger);
                }
                machines.kill(holder(machines));
                awaitServers(machines, 2);
                awaitMore(ledger);
                load.interrupt();
                load.awaitExit();
            }
            Plog audit = Plog.start(
                            BookieCluster.ENVIRONMENT,
                            "audit --ledger %s --target 0 --log %s",
                            ledger,
                            machines.address(LOG))
                    .exited(0);
            assertThat(audit.outText()).contains("holds: all ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"passwords", "TLS"})
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void theyServeUnderTheProtectionOfThePageAndRefuseWhoHasNone(String protection) throws Exception {
        try (DocumentedMachines machines =
                new DocumentedMachines(Files.createDirectory(directory.resolve("machines")), protection)) {
            startAll(machines);
            Path ledger = directory.resolve("run.ledger");
            String servers = machines.address("10.0.0.1:7411,10.0.0.2:7411,10.0.0.3:7411");
            try (Plog load = Plog.start(
                    "load --server %s --mode closed --duration 10m --ledger %s --out %s",
                    servers, ledger, directory.resolve("run"))) {
                awaitMore(ledger);
                load.interrupt();
                load.awaitExit();
            }
            List<String> audit = Words.of("audit --ledger %s --target 0 --log %s", ledger, machines.address(LOG));
            try (Plog with = Plog.start(machines.toolEnvironment(), "%s", audit);
                    Plog without = Plog.start(BookieCluster.ENVIRONMENT, "%s", audit)) {
                assertThat(with.exited(0).outText()).contains("holds: all ");
                assertThat(without.exited(1).errText()).contains("no ZooKeeper answers");
            }
        }
    }

    private static void startAll(DocumentedMachines machines) throws Exception {
        for (int machine = 1; machine <= 3; machine++) {
            machines.start(machine, ZOOKEEPER);
        }
        Await.until("ZooKeeper answers", () -> machines.tryShell("initnewcluster"));
        for (int machine = 1; machine <= 3; machine++) {
            machines.start(machine, BOOKIE);
        }
        awaitBookies(machines);
        assertThat(machines.shell("bookiesanity")).contains("sanity test succeeded");
        for (int machine = 1; machine <= 3; machine++) {
            machines.start(machine, SERVER);
        }
        awaitServers(machines, 3);
    }

    private static void awaitZooKeeper(DocumentedMachines machines) throws Exception {
        Await.until(
                "one leads and two follow",
                () -> IntStream.rangeClosed(1, 3)
                        .mapToObj(machines::zooKeeperMode)
                        .sorted()
                        .toList()
                        .equals(List.of("follower", "follower", "leader")));
    }

    /** As the page says: all are there, and nothing has too few copies. */
    private static void awaitBookies(DocumentedMachines machines) throws Exception {
        Await.until("all bookies are there", () -> {
            String there = machines.shell("listbookies", "-rw");
            return Stream.of("bookie-1", "bookie-2", "bookie-3").allMatch(there::contains);
        });
        Await.until(
                "each ledger has its copies",
                () -> machines.shell("listunderreplicated").contains("count=0"));
    }

    /** One is ready, and the others say who holds the log. */
    private static void awaitServers(DocumentedMachines machines, int count) throws Exception {
        Await.until("one of " + count + " is ready", () -> {
            List<String> answers = new ArrayList<>();
            for (int machine = 1; machine <= 3; machine++) {
                answers.add(machines.ready(machine));
            }
            return answers.stream().filter("ready"::equals).count() == 1
                    && answers.stream()
                                    .filter(answer -> answer.contains("is a standby"))
                                    .count()
                            == count - 1;
        });
    }

    private static int holder(DocumentedMachines machines) throws Exception {
        for (int machine = 1; machine <= 3; machine++) {
            if (machines.ready(machine).equals("ready")) {
                return machine;
            }
        }
        throw new AssertionError("none is ready");
    }

    /** Those that only wait or follow first, and the one that holds or leads last. */
    private static List<Integer> inOrder(DocumentedMachines machines, String unit) throws Exception {
        List<Integer> order = new ArrayList<>();
        for (int machine = 1; machine <= 3; machine++) {
            boolean last = unit.equals(ZOOKEEPER)
                    ? machines.zooKeeperMode(machine).equals("leader")
                    : machines.ready(machine).equals("ready");
            order.add(last ? order.size() : 0, machine);
        }
        return order;
    }

    private static void awaitMore(Path ledger) throws Exception {
        long now = Files.exists(ledger) ? Files.size(ledger) : 0;
        Await.until("more is acknowledged", () -> Files.exists(ledger) && Files.size(ledger) > now);
    }
}
