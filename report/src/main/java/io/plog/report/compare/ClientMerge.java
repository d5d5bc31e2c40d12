package io.plog.report.compare;

import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleMerge;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes one run of those of several clients that measured one server at the same time by the same plan. Their samples are merged;
 * percentiles of clients cannot be.
 */
public final class ClientMerge {
    /** The client's fact that says of how many clients a run was merged. */
    public static final String MERGED_FACT = "mergedFrom";

    private final List<Path> files = new ArrayList<>();
    private final List<RunInfo> infos = new ArrayList<>();
    private final List<Long> wallNanos = new ArrayList<>();

    private ClientMerge() {}

    /**
     * Merges.
     *
     * @param files sample files, at least two
     * @param out the merged sample file; created
     * @return what the reader of the merged run should mind, each a sentence
     * @throws NotComparableException if they are not of one server and plan; the message names what differs
     * @throws io.plog.measure.samples.SampleFileException if one is no sound sample file
     * @throws IOException if one can't be read or the merged file can't be written
     */
    public static List<String> merge(List<Path> files, Path out) throws IOException, NotComparableException {
        ClientMerge merge = new ClientMerge();
        for (Path file : files) {
            merge.open(file);
        }
        List<Long> offsets = merge.offsets();
        List<SampleMerge.Part> parts = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            int connections = merge.infos.get(0).plan().connections();
            parts.add(SampleMerge.Part.ofClient(files.get(i), offsets.get(i), i * connections, connections));
        }
        SampleMerge.write(parts, merge.description(), out);
        return merge.warnings(offsets);
    }

    private void open(Path file) throws IOException, NotComparableException {
        if (files.stream()
                .anyMatch(other -> other.toAbsolutePath()
                        .normalize()
                        .equals(file.toAbsolutePath().normalize()))) {
            throw new NotComparableException(file + " was given twice; its samples would count twice");
        }
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            if (!infos.isEmpty()) {
                checkLike(file, reader.info());
            }
            files.add(file);
            infos.add(reader.info());
            wallNanos.add(reader.end().map(RunInfo.End::wallNanos).orElse(0L));
        }
    }

    private void checkLike(Path file, RunInfo other) throws NotComparableException {
        RunInfo first = infos.get(0);
        RunInfo.Plan a = first.plan();
        RunInfo.Plan b = other.plan();
        if (!a.load().isEmpty() || !b.load().isEmpty()) {
            throw new NotComparableException(file + ": is a load run; run the clients of one load together with"
                    + " --coordinate and --join, which merges their samples");
        }
        require(file, "load model", a.loadModel(), b.loadModel());
        require(file, "sizes", a.sizesBytes(), b.sizesBytes());
        require(file, "targets", a.targets(), b.targets());
        require(file, "iterations", a.iterations(), b.iterations());
        require(file, "trials", a.trials(), b.trials());
        require(file, "warm-up", a.warmup(), b.warmup());
        require(file, "blocks", a.blocks(), b.blocks());
        require(file, "connections", a.connections(), b.connections());
        require(file, "rate", a.ratePerSecond(), b.ratePerSecond());
        // Another seed is another order of the cells: the clients would not have loaded the same cell at the same time.
        require(file, "seed", a.seed(), b.seed());
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

    /** When each began after the earliest, by the clocks of the machines that measured. */
    private List<Long> offsets() throws NotComparableException {
        List<Instant> starts = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            try {
                starts.add(Instant.parse(infos.get(i).startedAt()));
            } catch (DateTimeParseException e) {
                throw new NotComparableException(
                        files.get(i) + ": began at '" + infos.get(i).startedAt()
                                + "', which is no time; the runs cannot be put on one scale of time");
            }
        }
        Instant earliest = starts.stream().min(Instant::compareTo).orElseThrow();
        return starts.stream()
                .map(start -> Duration.between(earliest, start).toNanos())
                .toList();
    }

    private RunInfo description() {
        RunInfo first = infos.get(0);
        RunInfo.Plan plan = first.plan();
        int clients = infos.size();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(MERGED_FACT, clients + " clients");
        for (RunInfo info : infos) {
            info.client().forEach((name, value) -> facts.merge(name, value, (a, b) -> a.equals(b) ? a : a + " | " + b));
        }
        return new RunInfo(
                first.plogVersion(),
                infos.stream()
                        .map(RunInfo::startedAt)
                        .map(Instant::parse)
                        .min(Instant::compareTo)
                        .orElseThrow()
                        .toString(),
                first.command() + ", from " + clients + " clients at once",
                new RunInfo.Plan(
                        plan.loadModel(),
                        plan.sizesBytes(),
                        plan.targets(),
                        plan.iterations() * clients,
                        plan.trials(),
                        plan.warmup() * clients,
                        plan.warmupByEvidence(),
                        plan.blocks(),
                        plan.connections() * clients,
                        plan.ratePerSecond() * clients,
                        plan.seed()),
                facts,
                first.server(),
                first.targets());
    }

    /** Clients that did not load the server at once are no load of so many clients. */
    private List<String> warnings(List<Long> offsets) {
        List<String> warnings = new ArrayList<>();
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
