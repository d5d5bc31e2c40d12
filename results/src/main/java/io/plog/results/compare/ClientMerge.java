package io.plog.results.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Plan;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFormat;
import io.plog.measure.samples.SampleMerge;
import io.plog.measure.samples.SideEvents;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Makes one run of those of several clients that measured one server at the same time by the same plan. Their samples are merged;
 * percentiles of clients cannot be.
 */
public final class ClientMerge {
    /** The client's fact that says of how many clients a run was merged. */
    public static final String MERGED_FACT = "mergedFrom";

    /** The one that says how far from each other they began. */
    public static final String APART_FACT = "beganApart";

    private final List<Path> files = new ArrayList<>();
    private final List<RunInfo> infos = new ArrayList<>();
    private final List<Long> wallNanos = new ArrayList<>();
    private final List<SideEvents> servers = new ArrayList<>(); // what each asked of the server; of its first trial

    private ClientMerge() {}

    /**
     * Merges.
     *
     * @param files sample files, at least two
     * @param out the merged sample file; created
     * @return what the reader of the merged run should know, each a sentence
     * @throws NotComparableException if they are not of one server and plan; the message names what differs
     * @throws io.plog.measure.samples.SampleFileException if one is no sound sample file
     */
    public static List<String> merge(List<Path> files, Path out) throws IOException, NotComparableException {
        ClientMerge merge = new ClientMerge();
        for (Path file : files) {
            merge.open(file);
        }
        List<Long> offsets = merge.offsets();
        List<SampleMerge.Part> parts = new ArrayList<>();
        int connections = 0;
        for (int i = 0; i < files.size(); i++) {
            int own = connections(merge.infos.get(i));
            parts.add(SampleMerge.Part.ofClient(files.get(i), offsets.get(i), connections, own));
            connections += own;
        }
        SampleMerge.write(parts, merge.description(offsets), out);
        return merge.notes(offsets);
    }

    private void open(Path file) throws IOException, NotComparableException {
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            if (!infos.isEmpty()) {
                checkLike(file, reader.info());
            }
            files.add(file);
            infos.add(reader.info());
            reader.events().stream()
                    .filter(events -> events.beganAtNanos().isPresent())
                    .min(Comparator.comparingInt(SideEvents::trial))
                    .ifPresent(servers::add);
            wallNanos.add(reader.end().wallNanos());
        }
    }

    private void checkLike(Path file, RunInfo other) throws NotComparableException {
        RunInfo first = infos.get(0);
        // Another seed is another order of the cells: clients of a grid would not load the same cell at the same time.
        ObjectNode expected = alike(first.plan());
        ObjectNode found = alike(other.plan());
        for (Map.Entry<String, JsonNode> each : expected.properties()) {
            require(file, each.getKey(), each.getValue(), found.path(each.getKey()));
        }
        long seed = other.plan().seed();
        if (other.plan() instanceof Load
                && infos.stream().anyMatch(info -> info.plan().seed() == seed)) {
            throw new NotComparableException(file + ": has the seed " + seed + " of another load: both drew the same"
                    + " times and sizes, which is no load of both; give each a --seed of its own, or none");
        }
        require(file, "the server's facts", lasting(first.server()), lasting(other.server()));
        for (RunInfo.Target target : first.targets()) {
            RunInfo.Target same = other.targets().stream()
                    .filter(t -> t.name().equals(target.name()))
                    .findFirst()
                    .orElse(null);
            require(file, "way of forcing of " + target.name(), target.force(), same == null ? "absent" : same.force());
            require(
                    file,
                    "directory of " + target.name(),
                    String.valueOf(target.facts().get("path")),
                    same == null ? "absent" : String.valueOf(same.facts().get("path")));
        }
    }

    /** What a server says of itself as long as it runs. */
    private static Map<String, String> lasting(Map<String, String> server) {
        Map<String, String> lasting = new LinkedHashMap<>();
        for (String name : List.of(
                "host", "plog", "os", "arch", "cpu", "cores", "jdk", "jvm", "jvmFlags", "transport", "eventLoops")) {
            if (server.containsKey(name)) {
                lasting.put(name, server.get(name));
            }
        }
        return lasting;
    }

    private void require(Path file, String what, Object expected, Object found) throws NotComparableException {
        if (!expected.equals(found)) {
            throw new NotComparableException("clients of one run need one server and one plan: " + what + " is " + found
                    + " in " + file + ", expected " + expected + " as in " + files.get(0));
        }
    }

    /** When each began after the earliest: by the server's clock where all know it, else by their own. */
    private List<Long> offsets() throws NotComparableException {
        if (servers.size() == files.size()) {
            List<Long> began = servers.stream()
                    .map(events -> events.beganAtNanos().getAsLong())
                    .toList();
            long first = Collections.min(began);
            return began.stream().map(nanos -> nanos - first).toList();
        }
        Instant earliest = earliest();
        return infos.stream()
                .map(info -> Duration.between(earliest, info.startedAt()).toNanos())
                .toList();
    }

    private Instant earliest() {
        return infos.stream().map(RunInfo::startedAt).min(Instant::compareTo).orElseThrow();
    }

    private RunInfo description(List<Long> offsets) {
        RunInfo first = infos.get(0);
        int clients = infos.size();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(MERGED_FACT, clients + " clients");
        facts.put(APART_FACT, apart(offsets));
        for (RunInfo info : infos) {
            info.client().forEach((name, value) -> facts.merge(name, value, (a, b) -> a.equals(b) ? a : a + " | " + b));
        }
        return new RunInfo(
                first.plogVersion(),
                earliest(),
                first.command() + ", from " + clients + " clients at once",
                together(),
                facts,
                first.server(),
                first.targets());
    }

    /** What all clients' plans have in common. */
    private static ObjectNode alike(Plan plan) {
        ObjectNode tree = SampleFormat.JSON.valueToTree(plan);
        tree.remove("server");
        if (tree.get("loop") instanceof ObjectNode loop) {
            tree.remove("seed");
            loop.remove(List.of("connections", "rate"));
        }
        return tree;
    }

    private static int connections(RunInfo info) {
        return info.plan() instanceof Grid grid
                ? grid.connections()
                : info.plan() instanceof Load load ? load.loop().connections() : 0;
    }

    private static double ratePerSecond(RunInfo info) {
        return info.plan() instanceof Grid grid
                ? grid.ratePerSecond()
                : info.plan() instanceof Load load ? load.loop().ratePerSecond() : 0;
    }

    private Plan together() {
        Plan plan = infos.get(0).plan();
        int all = infos.stream().mapToInt(ClientMerge::connections).sum();
        double perSecond =
                infos.stream().mapToDouble(ClientMerge::ratePerSecond).sum();
        return plan instanceof Grid grid
                ? grid.fromClients(infos.size(), all, perSecond)
                : plan instanceof Load load ? load.fromClients(infos.size(), all, perSecond) : plan;
    }

    /** How far from each other they began. */
    private String apart(List<Long> offsets) {
        String apart = String.format(Locale.ROOT, "%.3f ms", Collections.max(offsets) / 1e6);
        return servers.size() < files.size()
                ? apart
                        + " (by their own clocks, which may differ: not every client could ask the server for its clock)"
                : String.format(
                        Locale.ROOT,
                        "%s (by the server's clock, to %.3f ms)",
                        apart,
                        servers.stream()
                                        .mapToLong(SideEvents::uncertaintyNanos)
                                        .max()
                                        .orElse(0)
                                / 1e6);
    }

    /** How far apart they began; and clients that did not load the server at once are no load of so many clients. */
    private List<String> notes(List<Long> offsets) {
        List<String> warnings = new ArrayList<>(List.of("the clients began " + apart(offsets) + " apart"));
        for (int i = 0; i < files.size(); i++) {
            for (int j = i + 1; j < files.size(); j++) {
                long from = Math.max(offsets.get(i), offsets.get(j));
                long to = Math.min(offsets.get(i) + wallNanos.get(i), offsets.get(j) + wallNanos.get(j));
                long shorter = Math.min(wallNanos.get(i), wallNanos.get(j));
                if (to - from < shorter / 2) {
                    warnings.add(files.get(i) + " and " + files.get(j) + " ran together for "
                            + Math.max(0, to - from) / 1_000_000 + " ms of " + shorter / 1_000_000
                            + " ms; this is no load of both at once");
                }
            }
        }
        return List.copyOf(warnings);
    }
}
