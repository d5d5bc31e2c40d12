package io.plog.measure.study;

import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.RunPlan;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.Warmup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The cells of a study that were measured, which become one sample file: a target for each design under each load, with its trials.
 * Cells that are missing are left out, so that what was measured before a study ended early is kept. For one thread.
 */
public final class StudySamples {
    /** How the names of all facts begin that are a cell's own, and not its directory's; this one names it in words. */
    public static final String LABEL = "cell";

    /** Facts of a cell whose names begin so say which of its trials came to nothing, and why. */
    public static final String FAILED = "cellFailed";

    /** Facts of a cell whose names begin so say which of its trials was measured again, and why. */
    public static final String REPEATED = "cellMeasuredAgain";

    /** The fact of a cell with the designs that its servers said they had. */
    public static final String SERVERS = "cellServers";

    /** In {@link RunInfo.End#counts}: processor time of a trial's server in nanoseconds. */
    private static final String CPU = "cpuNanos";

    /** Likewise: what an exchange without load takes outside of the server, in nanoseconds. */
    private static final String IDLE_NETWORK = "idleNetworkNanos";

    /** Likewise: the largest rate that the design keeps, as requests in {@link #CONFIRMED_SECONDS}. */
    private static final String CONFIRMED = "confirmed";

    private static final int CONFIRMED_SECONDS = 1_000;

    /** Likewise, before a bin's ends: turns of its event loops with so many connections ready. */
    private static final String READY = "ready ";

    /** Facts of a server that are no facts of the study. */
    private static final List<String> OF_ONE_CELL = List.of("design", "eventLoops", "adminPort");

    private final StudyPlan plan;
    private final String plogVersion;
    private final String startedAt;
    private final Map<StudyCell.Key, Measured> cells = new LinkedHashMap<>();
    private String firstFailure = "";
    private int failures;

    private static final class Measured {
        private final StudyCell cell;
        private final Map<Integer, CellOutcome> trials = new TreeMap<>();
        private final Map<Integer, Double> confirmed = new TreeMap<>();
        private final Map<String, String> notes = new LinkedHashMap<>();

        Measured(StudyCell cell) {
            this.cell = cell;
        }

        void note(String kind, String what) {
            notes.put(kind + " " + (notes.size() + 1), what);
        }

        RunInfo info() {
            return trials.values().iterator().next().load().info();
        }
    }

    /**
     * Begins without cells.
     *
     * @param startedAt ISO-8601 in UTC
     */
    public StudySamples(StudyPlan plan, String plogVersion, String startedAt) {
        this.plan = plan;
        this.plogVersion = plogVersion;
        this.startedAt = startedAt;
    }

    private Measured of(StudyCell cell) {
        return cells.computeIfAbsent(cell.key(), first -> new Measured(cell));
    }

    /** Adds a cell that was measured. If it was measured before, this takes the place of that. */
    public void add(CellOutcome outcome) {
        of(outcome.cell()).trials.put(outcome.cell().trial(), outcome);
    }

    /** Adds a cell that came to nothing. */
    public void addFailure(StudyCell cell, String why) {
        String what = cell.label() + ": " + why;
        firstFailure = firstFailure.isEmpty() ? what : firstFailure;
        failures++;
        of(cell).note(FAILED, what);
    }

    /**
     * Notes that a cell is measured again.
     *
     * @param why what disturbed it
     */
    public void addRepeat(StudyCell cell, String why) {
        of(cell).note(REPEATED, cell.label() + " (" + why + ")");
    }

    /** How many cells were measured, each trial by itself. */
    public int measured() {
        return cells.values().stream().mapToInt(each -> each.trials.size()).sum();
    }

    /** Replies a second in a cell that was measured; 0 if it was not. */
    public double acceptedPerSecond(StudyCell cell) {
        Measured found = cells.get(cell.key());
        CellOutcome trial = found == null ? null : found.trials.get(cell.trial());
        return trial == null ? 0 : trial.load().summary().acceptedPerSecond();
    }

    /** Notes the largest rate that a design was seen to keep, requests a second, with its cell at infinite demand. */
    public void confirm(StudyCell capacity, double perSecond) {
        of(capacity).confirmed.put(capacity.trial(), perSecond);
    }

    /**
     * Writes them as one file.
     *
     * @param out created
     * @param partialReason why the study ended before its plan was done; empty if it did not
     * @throws IOException if a cell's samples cannot be read again, or the file cannot be written
     */
    public void write(Path out, String partialReason) throws IOException {
        List<Measured> all = inOrder();
        Map<String, Long> counts = new LinkedHashMap<>();
        try (SampleFileWriter writer = SampleFileWriter.create(out, info(all))) {
            for (int id = 0; id < all.size(); id++) {
                for (CellOutcome trial : all.get(id).trials.values()) {
                    append(writer, id, trial, counts);
                }
                int cell = id;
                all.get(id)
                        .confirmed
                        .forEach((trial, rate) ->
                                counts.put(name(cell, trial, CONFIRMED), Math.round(rate * CONFIRMED_SECONDS)));
            }
            String reason = !partialReason.isEmpty() || failures == 0
                    ? partialReason
                    : failures + " of its cells failed, the first: " + firstFailure;
            writer.end(new RunInfo.End(!reason.isEmpty(), reason, 0, counts));
        }
    }

    private static void append(SampleFileWriter writer, int id, CellOutcome outcome, Map<String, Long> counts)
            throws IOException {
        int trial = outcome.cell().trial();
        try (SampleFileReader reader = SampleFileReader.open(outcome.load().samples())) {
            CellKey merged = new CellKey(id, outcome.cell().mix().mostBytes());
            for (CellKey key : reader.cells()) {
                reader.each(key, samples -> {
                    samples.fill(Column.TRIAL, trial);
                    writer.append(merged, samples);
                });
            }
            for (SideEvents events : reader.events()) {
                writer.append(events.ofCell(id, trial));
            }
            outcome.load().end().counts().forEach((name, count) -> counts.put(name(id, trial, name), count));
            Double cpu = outcome.cpuNanos();
            if (cpu != null) {
                counts.put(name(id, trial, CPU), Math.round(cpu));
            }
            Double idle = outcome.idleNetworkNanos();
            if (idle != null) {
                counts.put(name(id, trial, IDLE_NETWORK), Math.round(idle));
            }
            outcome.readyChannels()
                    .forEach(bin -> counts.put(name(id, trial, READY + bin.from() + "-" + bin.to()), bin.count()));
        }
    }

    private static String name(int id, int trial, String name) {
        return id + "/" + trial + "/" + name;
    }

    /**
     * What was counted in one trial of a cell besides its samples.
     *
     * @param counts of the whole study
     * @param targetId the cell's
     */
    public static Map<String, Long> counts(Map<String, Long> counts, int targetId, int trial) {
        String prefix = name(targetId, trial, "");
        return counts.entrySet().stream()
                .filter(count -> count.getKey().startsWith(prefix))
                .collect(Collectors.toMap(
                        count -> count.getKey().substring(prefix.length()),
                        Map.Entry::getValue,
                        (a, b) -> a,
                        LinkedHashMap::new));
    }

    /** What was counted in all trials of a cell, as that of a cell with another number. */
    public static Map<String, Long> renumbered(Map<String, Long> counts, int targetId, int to) {
        Map<String, Long> renumbered = new LinkedHashMap<>();
        counts.forEach((name, count) -> {
            if (name.startsWith(targetId + "/")) {
                renumbered.put(to + name.substring(name.indexOf('/')), count);
            }
        });
        return renumbered;
    }

    /** Processor time of a trial's server in nanoseconds; empty if it is not known. */
    public static Optional<Long> cpuNanos(Map<String, Long> countsOfTrial) {
        return Optional.ofNullable(countsOfTrial.get(CPU));
    }

    /** The largest rate that a design was seen to keep in a trial; empty if it is not known. */
    public static Optional<Double> confirmed(Map<String, Long> countsOfTrial) {
        return Optional.ofNullable(countsOfTrial.get(CONFIRMED)).map(count -> (double) count / CONFIRMED_SECONDS);
    }

    /** What an exchange without load takes outside of the server of a cell, in the mean over its trials; empty if it is not known. */
    public static OptionalDouble idleNetworkNanos(Map<String, Long> counts, int targetId) {
        return counts.entrySet().stream()
                .filter(count -> count.getKey().startsWith(targetId + "/")
                        && count.getKey().endsWith("/" + IDLE_NETWORK))
                .mapToLong(Map.Entry::getValue)
                .average();
    }

    /** Turns of a trial's event loops by the number of connections that were ready; empty if it is not known. */
    public static List<Bin> readyChannels(Map<String, Long> countsOfTrial) {
        List<Bin> bins = new ArrayList<>();
        countsOfTrial.forEach((name, count) -> {
            if (name.matches(READY + "\\d{1,18}-\\d{1,18}")) {
                String[] ends = name.substring(READY.length()).split("-", 2);
                bins.add(new Bin(Long.parseLong(ends[0]), Long.parseLong(ends[1]), count));
            }
        });
        return bins;
    }

    private RunInfo info(List<Measured> all) {
        Map<String, String> server = new LinkedHashMap<>();
        Optional<RunInfo> typical = typical();
        typical.ifPresent(info -> server.putAll(info.server()));
        OF_ONE_CELL.forEach(server::remove);
        List<RunInfo.Target> targets = new ArrayList<>();
        for (int id = 0; id < all.size(); id++) {
            targets.add(target(id, all.get(id)));
        }
        StudyPlan.Traffic traffic = plan.traffic();
        return new RunInfo(
                plogVersion,
                startedAt,
                plan.command(),
                new RunPlan(
                        RunPlan.STUDY,
                        "",
                        List.of(),
                        List.of(),
                        List.copyOf(all.stream()
                                .map(each -> each.cell.mix().mostBytes())
                                .collect(Collectors.toCollection(TreeSet::new))),
                        plan.designs().stream().map(StudyDesign::label).toList(),
                        0,
                        plan.trials(),
                        Warmup.exactly(0),
                        StudyPlan.BLOCKS,
                        traffic.connections(),
                        0,
                        plan.seed(),
                        List.of(new RunInfo.Load(
                                traffic.requestsPerConnection() > 0 ? "partly-open" : "open",
                                0,
                                traffic.arrivals().label(),
                                traffic.requestsPerConnection(),
                                traffic.mix().shares(),
                                1,
                                plan.warmUp().toNanos(),
                                plan.duration().toNanos(),
                                0,
                                1))),
                typical.map(RunInfo::client).orElse(Map.of()),
                server,
                targets);
    }

    /**
     * A trial of a cell in words, as progress and messages have it.
     *
     * @param trial from 0
     */
    public static String label(RunInfo.Target cell, int trial) {
        return cell.facts().getOrDefault(LABEL, cell.name()) + (trial == 0 ? "" : ", trial " + (trial + 1));
    }

    /** What the fact {@link #SERVERS} says where all servers have this design. */
    public static String server(StudyDesign design) {
        return server(design.option(), Integer.toString(design.eventLoops()));
    }

    private static String server(String design, String eventLoops) {
        return design + " with " + eventLoops + " event loops";
    }

    private RunInfo.Target target(int id, Measured measured) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(LABEL, measured.cell.label());
        String force = measured.cell.isControl() ? "off" : plan.force();
        if (!measured.trials.isEmpty()) {
            facts.put(
                    SERVERS,
                    measured.trials.values().stream()
                            .map(trial -> trial.load().info().server())
                            .map(server -> server(
                                    server.getOrDefault("design", "none"), server.getOrDefault("eventLoops", "none")))
                            .distinct()
                            .collect(Collectors.joining("; ")));
            if (!measured.info().targets().isEmpty()) {
                facts.putAll(measured.info().targets().get(0).facts());
            }
        }
        facts.putAll(measured.notes);
        return new RunInfo.Target(id, measured.cell.design().label(), force, facts, measured.cell.dimensions());
    }

    /** Of a cell with a rate, if there is one: only such a load has times that its driver could miss. */
    private Optional<RunInfo> typical() {
        return cells.values().stream()
                .filter(each -> !each.trials.isEmpty())
                .min(Comparator.comparing(
                        each -> each.cell.loggedShare() == 0 ? 2 : each.cell.isInfiniteDemand() ? 1 : 0))
                .map(Measured::info);
    }

    /** In the order of the plan's designs and loads, not in that of the run. */
    private List<Measured> inOrder() {
        List<Measured> all = new ArrayList<>(cells.values());
        all.sort(Comparator.comparing((Measured each) -> each.cell.kind())
                .thenComparing(each -> each.cell.processors())
                .thenComparing(each -> each.cell.kind() == StudyCell.Kind.ABSOLUTE ? each.cell.ratePerSecond() : 0)
                .thenComparing(each -> plan.designs().indexOf(each.cell.design()))
                .thenComparing(each -> each.cell.level())
                .thenComparing(each -> -each.cell.loggedShare())
                .thenComparing(each -> each.cell.mix().mostBytes()));
        return all;
    }
}
