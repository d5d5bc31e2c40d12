package io.plog.results.verdict;

import io.plog.host.MachineFacts;
import io.plog.measure.load.LoadSummary;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.StudyDesign;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.TrialRecord;
import io.plog.measure.study.StudySamples;
import io.plog.protocol.Status;
import io.plog.results.cells.CellAnalysis.Found;
import io.plog.results.cells.DiskFacts;
import io.plog.results.cells.SampleChecks.WorstBlock;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Kind;
import io.plog.results.model.Wording;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks what must be so for the figures to mean what they say; the list is in {@code docs/measurement.md}. */
public final class Checks {
    /** So many requests a cell of a study must have. Their median has a bounded interval of about 7 % to each side. */
    public static final long ENOUGH_REQUESTS = 200;

    /** A logged median below this share of the one without logging is no matter of chance. */
    static final double LEAST_OF_BASELINE = 0.9;

    private static final String OVERLOADED = Status.OVERLOADED.name();

    /** The address of a log that this machine keeps, going by the first server of its ZooKeeper. */
    private static final String ON_LOOPBACK = "[a-z]+://(127\\.[0-9.]+|localhost|\\[::1\\]):.*";

    private final Kind kind;
    private final RunInfo info;
    private final List<TrialRecord> records;
    private final @Nullable Grid grid;
    private final Results.Partial partial;
    private final List<Found> cells;
    private final List<LoadSummary> loads;
    private final List<SideEvents> events;
    private final List<Check> checks = new ArrayList<>();

    private Checks(
            Kind kind,
            RunInfo info,
            List<TrialRecord> records,
            Results.Partial partial,
            List<Found> cells,
            List<LoadSummary> loads,
            List<SideEvents> events) {
        this.kind = kind;
        this.info = info;
        this.records = records;
        this.partial = partial;
        grid = info.plan() instanceof Grid each ? each : null;
        this.cells = cells;
        this.events = events;
        this.loads = Stream.concat(
                        loads.stream(),
                        cells.stream()
                                .flatMap(found -> Stream.ofNullable(found.cell().underLoad()))
                                .flatMap(load -> load.trials().stream()))
                .toList();
    }

    /**
     * Applies every check that there is something for, what matters most first: that the figures are not valid, and why.
     *
     * @param records what is known of trials besides their samples
     * @param partial why it ended before its plan was done, or which cells failed
     * @param loads of a load; each cell of a study has its own
     * @param events what client and server recorded
     * @param overhead each logged cell against the one without logging; empty for a study
     */
    public static List<Check> of(
            Kind kind,
            RunInfo info,
            List<TrialRecord> records,
            Results.Partial partial,
            List<Found> cells,
            List<LoadSummary> loads,
            List<SideEvents> events,
            List<Results.Overhead> overhead) {
        Checks checks = new Checks(kind, info, records, partial, cells, loads, events);
        checks.complete();
        checks.uninterrupted();
        switch (kind) {
            case RUN -> checks.run();
            case LOAD -> checks.load();
            case STUDY -> checks.study();
            case RECOVERY -> {}
            case DISK ->
                StableStorageVerdicts.judge(info.targets(), checks.results()).forEach(checks::plausible);
        }
        if (kind == Kind.RUN || kind == Kind.LOAD) {
            checks.durations();
            checks.checks.add(SteadyCheck.of(cells));
            checks.baseline(overhead);
            checks.measured().forEach(checks::storage);
            checks.measured().forEach(checks::writeCache);
        }
        if (kind == Kind.LOAD || kind == Kind.DISK) {
            checks.level();
        }
        checks.machines();
        return checks.checks.stream()
                .sorted(Comparator.comparingInt(check -> check.ok() ? 2 : check.severity() == Severity.INVALID ? 0 : 1))
                .toList();
    }

    private void run() {
        failures();
        batches();
        if (info.plan().isScheduled()) {
            rate();
            lag();
        }
        blocks();
    }

    private void load() {
        if (info.plan() instanceof Load load && !load.keepSamples()) {
            checks.add(CheckRule.EVERY_SAMPLE.check(
                    false,
                    Severity.WARNING,
                    "Samples were kept in bins of at most 1 % by the second (--keep-samples=no): every latency is that of"
                            + " its bin, parts are those of requests of one rank, and no single request is shown."));
        }
        if (loads.stream().anyMatch(load -> load.offeredPerSecond() != null)) {
            rate();
            lag();
        }
        failures();
        refusals();
        connections();
    }

    private void study() {
        designs();
        failures();
        repeated();
        steady();
        blocks();
        refusals();
        requests();
    }

    private void machines() {
        switch (kind) {
            case RUN -> checks.addAll(MachineChecks.ofRun(events, bookiesHere(), info.isOneMachine(), this::cpuLimit));
            case LOAD -> checks.addAll(MachineChecks.of(events, bookiesHere(), SideEvents.CLIENT, SideEvents.SERVER));
            case DISK -> checks.addAll(MachineChecks.of(events, false, SideEvents.CLIENT));
            case STUDY, RECOVERY -> checks.addAll(CellMachineChecks.ofAll(cells, events, info.client()));
        }
    }

    private String cpuLimit(String side) {
        String limit = (side.equals(SideEvents.CLIENT) ? info.client() : info.server()).getOrDefault("cgroupCpu", "");
        return limit.equals(MachineFacts.NO_LIMIT) ? "" : limit;
    }

    private List<Cell> results() {
        return cells.stream().map(Found::cell).toList();
    }

    private List<RunInfo.Target> measured() {
        return info.targets().stream()
                .filter(target -> info.plan().targets().contains(target.name()))
                .toList();
    }

    private void complete() {
        long planned =
                (long) info.plan().sizesBytes().size() * info.plan().targets().size();
        long iterations = grid == null ? 0 : grid.iterations();
        long full = cells.stream()
                .filter(found -> found.cell().count() + found.cell().failures() >= iterations)
                .count();
        boolean ok = !partial.partial() && (kind != Kind.RUN || full == planned);
        String found = kind != Kind.RUN
                ? (ok ? "It ran to its end" : "It ended early")
                : (ok ? "All " : "Only ") + Units.count(full) + " of " + Units.count(planned) + " cells have all "
                        + Units.count(iterations) + " requests";
        List<String> failed =
                records(TrialRecord.Failed.class).map(TrialRecord.Failed::why).toList();
        checks.add(CheckRule.COMPLETE.check(
                ok,
                kind == Kind.RUN || kind == Kind.STUDY ? Severity.WARNING : Severity.INVALID,
                found + (partial.partial() ? ": " + partial.reason() : "") + "."
                        + (failed.size() < 2
                                ? ""
                                : " " + failed.size() + " cells failed: " + CheckRule.named(failed) + ".")));
    }

    private void uninterrupted() {
        List<String> pauses = records(TrialRecord.Interrupted.class)
                .map(each -> "at " + each.at() + " for " + Units.significantDigits(each.pauseSeconds(), 3) + " s"
                        + (info.plan().trials() == 1 ? "" : " in trial " + (each.trial() + 1)))
                .toList();
        if (!pauses.isEmpty()) {
            checks.add(CheckRule.UNINTERRUPTED.check(
                    pauses, Severity.WARNING, "", "It was interrupted, and went on as one run"));
        }
    }

    private void level() {
        Instant began = info.startedAt().truncatedTo(ChronoUnit.SECONDS);
        List<String> changes = results().stream()
                .flatMap(cell -> Stream.ofNullable(cell.overTime())
                        .flatMap(over -> over.levels().stream())
                        .map(level -> cell.target() + ", " + Units.size(cell.payloadBytes()) + ", after "
                                + Units.count(level.atSeconds()) + " s (" + began.plusSeconds(level.atSeconds())
                                + ") from " + Micros.text(level.beforeMicros()) + " to "
                                + Micros.text(level.afterMicros()) + " µs"))
                .toList();
        checks.add(CheckRule.LEVEL.check(
                changes,
                Severity.WARNING,
                "No median changed its level while it was counted.",
                "The median latency changed its level, as when a volume is throttled, or its burst ends"));
    }

    private <T extends TrialRecord> Stream<T> records(Class<T> kind) {
        return records.stream().filter(kind::isInstance).map(kind::cast);
    }

    private void add(CheckRule rule, List<String> broken, Severity severity, String good, String bad) {
        checks.add(rule.check(broken, severity, good, bad));
    }

    /** A server that does not name its design cannot be studied. */
    private void designs() {
        List<String> wrong = new ArrayList<>();
        for (Found found : cells) {
            List<StudyDesign> said = TrialRecord.of(
                            records,
                            TrialRecord.ServerDesign.class,
                            found.target().id())
                    .map(TrialRecord.ServerDesign::design)
                    .distinct()
                    .toList();
            if (!StudyDesign.ofLabel(found.target().name()).map(List::of).equals(Optional.of(said))) {
                wrong.add(StudySamples.label(found.target(), 0) + " had "
                        + said.stream()
                                .map(each -> each.option() + " with " + each.eventLoops() + " event loops")
                                .collect(Collectors.joining("; ")));
            }
        }
        add(
                CheckRule.DESIGN,
                wrong,
                Severity.INVALID,
                "Each server said that it had the design that was asked for.",
                "Servers had another design than was asked for");
    }

    /** A request without a reply where a run broke off is the end of the run, not a failure within it. */
    private void failures() {
        Map<String, Long> errors = new TreeMap<>();
        loads.forEach(load -> load.errors().forEach((status, count) -> errors.merge(status, count, Long::sum)));
        errors.remove(OVERLOADED);
        long failed = kind == Kind.RUN
                ? cells.stream().mapToLong(found -> found.cell().failures()).sum()
                        - (partial.partial() ? lost(cells) : 0)
                : 0;
        add(
                CheckRule.FAILURES,
                failed > 0
                        ? List.of(Units.count(failed))
                        : errors.entrySet().stream()
                                .map(error -> Units.count(error.getValue()) + " with " + error.getKey())
                                .toList(),
                Severity.INVALID,
                "Every counted request that was not refused was answered with OK.",
                "Requests were not answered with OK and are in no figure");
    }

    /** How many requests after the warm-up got no reply. */
    public static long lost(List<Found> cells) {
        return cells.stream().mapToLong(found -> found.problems().unanswered()).sum();
    }

    private void batches() {
        long shared =
                cells.stream().mapToLong(found -> found.problems().shared()).sum();
        if (grid != null && grid.connections() == 1) {
            checks.add(CheckRule.ONE_FORCE_EACH.check(
                    shared == 0,
                    Severity.INVALID,
                    shared == 0
                            ? "With one request outstanding each record had a force of its own."
                            : Units.count(shared) + " records shared a force although one request was outstanding:"
                                    + " something else writes to this log."));
        }
    }

    private void rate() {
        double offered = grid == null ? 0 : grid.ratePerSecond();
        List<String> below = Stream.concat(
                        cells.stream()
                                .map(Found::cell)
                                .filter(cell -> kind == Kind.RUN
                                        && cell.count() > 0
                                        && cell.requestsPerSecond() < 0.99 * offered)
                                .map(Checks::name),
                        loads.stream().filter(load -> !load.sustained()).map(Checks::unsustained))
                .toList();
        add(
                CheckRule.RATE,
                below,
                Severity.INVALID,
                "At least 99 % of the offered rate was reached, without a growing backlog.",
                "Less than 99 % of the offered rate was reached");
    }

    private static String unsustained(LoadSummary load) {
        Double offered = load.offeredPerSecond();
        return load.target() + " (" + Wording.perSecond(load.answeredPerSecond()) + " of the "
                + (offered == null ? "?" : Wording.perSecond(offered))
                + " requests a second that were due were answered, " + Units.count(load.backlogAtEnd())
                + " were without reply at the end, " + Units.count(load.backlogAtStart())
                + " when counting began, and " + Units.count(load.mostOutstanding()) + " at most)";
    }

    /** How late the requests of a cell or a load were sent, and how long they took, in microseconds. */
    private record Lag(String of, double mean, double p99, double meanLatency, double median, double p99Latency) {
        static Stream<Lag> of(Found found) {
            return Stream.ofNullable(found.cell().endToEndMicros())
                    .map(known -> new Lag(
                            name(found.cell()),
                            Micros.ofNanos(found.problems().lagMeanNanos()),
                            Micros.ofNanos(found.problems().lagP99Nanos()),
                            known.mean(),
                            known.p50(),
                            known.p99()));
        }

        static Stream<Lag> of(LoadSummary load) {
            LoadSummary.Times lag = load.lag();
            LoadSummary.Times latency = load.latency();
            return lag == null || latency == null
                    ? Stream.empty()
                    : Stream.of(new Lag(
                            load.target(), lag.mean(), lag.p99(), latency.mean(), latency.p50(), latency.p99()));
        }

        ScheduleLag how() {
            return ScheduleLag.of(mean, p99, meanLatency, median, p99Latency);
        }

        String words() {
            return of + " (p99 of the lag " + Micros.text(p99) + " µs, median latency " + Micros.text(median) + " µs)";
        }
    }

    private void lag() {
        List<Lag> all = (kind == Kind.RUN
                        ? cells.stream().flatMap(Lag::of)
                        : loads.stream().flatMap(Lag::of))
                .toList();
        boolean invalid = all.stream().anyMatch(lag -> lag.how() == ScheduleLag.TOO_MUCH);
        ScheduleLag shown = invalid ? ScheduleLag.TOO_MUCH : ScheduleLag.NOTICEABLE;
        add(
                CheckRule.SCHEDULE_LAG,
                all.stream().filter(lag -> lag.how() == shown).map(Lag::words).toList(),
                invalid ? Severity.INVALID : Severity.WARNING,
                "At least 99 % of the requests were sent within a tenth of the median latency of their time.",
                "More than 1 % of the requests were sent later than they could have been by more than a tenth of the median"
                        + " latency"
                        + (invalid
                                ? ", so this client was not fast enough, or its processors were busy"
                                : ", though by less than a tenth of the mean and of the 99th percentile"));
    }

    private void repeated() {
        List<String> repeated = records(TrialRecord.Repeated.class)
                .map(TrialRecord.Repeated::why)
                .toList();
        add(
                CheckRule.REPEATED,
                repeated,
                Severity.WARNING,
                "No cell had to be measured again.",
                (repeated.size() == 1 ? "One measurement was" : repeated.size() + " measurements were")
                        + " repeated, because something disturbed them or they were not steady; the replaced samples are"
                        + " kept");
    }

    /** A cell that was not what was asked for taints no other; with many of them something else is wrong. */
    private void steady() {
        List<List<String>> problems = cells.stream()
                .flatMap(found -> Stream.ofNullable(found.cell().underLoad()))
                .filter(load -> !load.wasKept())
                .map(Results.UnderLoad::problems)
                .toList();
        add(
                CheckRule.STEADY,
                problems.stream().flatMap(List::stream).toList(),
                problems.size() > CellMachineChecks.MOST_UNJUDGED * cells.size() ? Severity.INVALID : Severity.WARNING,
                "Every cell answered what was due, sent in time, and was steady while it was counted.",
                problems.size() + " of " + cells.size() + " cells are not judged, and no design at their loads");
    }

    /** Whether a single block decides a cell's mean, as a stall does that medians do not show; and what went on in it. */
    private void blocks() {
        add(
                CheckRule.BLOCKS,
                cells.stream()
                        .flatMap(found -> Stream.ofNullable(found.problems().worstBlock())
                                .filter(WorstBlock::decides)
                                .map(worst -> block(found, worst)))
                        .toList(),
                Severity.WARNING,
                "No block decides the mean of its cell.",
                "One block decides the mean of a cell");
    }

    /** What the slowest request of that trial met need not be the cause, but it is what was seen; a study does not look for it. */
    private String block(Found found, WorstBlock worst) {
        String met = found.cell().slowest().stream()
                .filter(slow -> slow.trial() == worst.trial())
                .limit(1)
                .flatMap(slow -> slow.overlaps().stream())
                .findFirst()
                .map(seen -> seen.side() + " " + seen.kind() + " of " + Micros.text(seen.micros()) + " µs")
                .orElse("nothing that was recorded");
        return (kind == Kind.STUDY ? StudySamples.label(found.target(), 0) : name(found.cell())) + " (trial "
                + (worst.trial() + 1) + ", block " + (worst.block() + 1) + ": without it "
                + Units.ratio(worst.share()) + (kind == Kind.STUDY ? "" : ", meanwhile " + met) + ")";
    }

    /** What a full server refuses is a result, and no latency. */
    private void refusals() {
        add(
                CheckRule.REFUSALS,
                loads.stream()
                        .filter(load -> load.refusedShare() > 0)
                        .map(load -> String.format(
                                Locale.ROOT,
                                "%s (%,d of %,d, %.2f %%)",
                                load.target(),
                                load.errors().getOrDefault(OVERLOADED, 0L),
                                load.sent(),
                                100 * load.refusedShare()))
                        .toList(),
                Severity.WARNING,
                "No request was refused as overloaded.",
                "Requests were refused as overloaded, and latencies are those of the others");
    }

    /** The figures of a handful of requests say nothing, however narrow their intervals happen to be. */
    private void requests() {
        List<String> few = cells.stream()
                .filter(found -> found.cell().count() < ENOUGH_REQUESTS)
                .map(found -> StudySamples.label(found.target(), 0) + " ("
                        + Units.count(found.cell().count()) + ")")
                .toList();
        add(
                CheckRule.REQUESTS,
                few,
                Severity.INVALID,
                "Every cell has at least " + ENOUGH_REQUESTS + " requests that count.",
                few.size() + " cells have fewer than " + ENOUGH_REQUESTS
                        + " requests that count, so no finding uses them; measure longer (--duration) or more often"
                        + " (--trials)");
    }

    private void connections() {
        long lost = loads.stream().mapToLong(LoadSummary::connectionsLost).sum();
        long failed = loads.stream().mapToLong(LoadSummary::connectionsFailed).sum();
        checks.add(CheckRule.CONNECTIONS.check(
                lost + failed == 0,
                Severity.WARNING,
                lost + failed == 0
                        ? "No connection was lost, and each could be made."
                        : Units.count(lost) + " connections were lost and made anew, " + Units.count(failed)
                                + " attempts to make one failed."));
    }

    private void durations() {
        long impossible =
                cells.stream().mapToLong(found -> found.problems().impossible()).sum();
        checks.add(CheckRule.DURATIONS.check(
                impossible == 0,
                Severity.INVALID,
                impossible == 0
                        ? "Logging lies within the server's residence and that within end to end in every request."
                        : "In " + Units.count(impossible)
                                + " requests the server's durations add up to more than the client saw."));
    }

    /** Logging cannot make a request faster; where it seems to, there is another cause, such as sleeping processors. */
    private void baseline(List<Results.Overhead> overhead) {
        add(
                CheckRule.BASELINE,
                overhead.stream()
                        .filter(row ->
                                row.ratioOfMedians().ratio() < LEAST_OF_BASELINE || row.seen() == Results.Seen.SHORTER)
                        .map(row -> row.target() + " at " + Units.size(row.payloadBytes()) + " (medians "
                                + Units.ratio(row.ratioOfMedians().ratio()) + ", means "
                                + Units.ratio(row.ratioOfMeans().ratio()) + ")")
                        .toList(),
                Severity.WARNING,
                "Nothing with logging was clearly faster than without.",
                "Logging cannot make a request faster, but seems to here: most likely the processors slept between requests"
                        + " without logging and took long to wake up. Do not read these figures as the cost of logging");
    }

    private void storage(RunInfo.Target target) {
        if (!target.forceLabel().forces()) {
            return;
        }
        boolean ok = !new DiskFacts(target.facts()).inMemory();
        checks.add(CheckRule.STABLE_STORAGE.check(
                target.name(),
                ok,
                Severity.WARNING,
                ok
                        ? "Every acknowledgement waited for a force (" + target.force() + ")."
                        : "Not stable storage: the log lies in memory (tmpfs); it does not survive a power failure."));
        if (ok) {
            StableStorageVerdicts.judge(List.of(target), results()).forEach(this::plausible);
        }
    }

    private void plausible(Results.StableStorage stableStorage) {
        checks.add(CheckRule.PLAUSIBLE.check(
                stableStorage.target(),
                !stableStorage.verdict().equals(StableStorageRules.Verdict.VOLATILE_CACHE.label()),
                Severity.WARNING,
                stableStorage.reasons().get(0)));
    }

    private void writeCache(RunInfo.Target target) {
        if (!target.forceLabel().forces() || target.forceLabel().isForcedElsewhere()) {
            return;
        }
        String cache = target.facts().getOrDefault("writeCache", "unknown");
        boolean known = !cache.equals("unknown");
        checks.add(CheckRule.WRITE_CACHE.check(
                target.name(),
                known,
                Severity.WARNING,
                known
                        ? "The kernel says that the device's write cache is " + cache + "."
                        : "The kernel does not say whether the device under " + target.name()
                                + " has a volatile write cache, so the effect of a force is not known."));
    }

    /** Whether a measured log is on bookies of the server's own machine, as far as its address says. */
    private boolean bookiesHere() {
        return measured().stream()
                .filter(target -> target.forceLabel().isForcedElsewhere())
                .anyMatch(target -> target.facts().getOrDefault("address", "").matches(ON_LOOPBACK));
    }

    /** The median end to end in microseconds; NaN if nothing was counted. */
    static double median(Found found) {
        Results.Distribution endToEnd = found.cell().endToEndMicros();
        return endToEnd == null ? Double.NaN : endToEnd.p50();
    }

    /** As people call a cell. */
    static String name(Cell cell) {
        return cell.target() + " at " + Units.size(cell.payloadBytes());
    }
}
