package io.plog.results.verdict;

import io.plog.host.MachineFacts;
import io.plog.measure.load.LoadSummary;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SideEvents;
import io.plog.results.cells.CellAnalysis;
import io.plog.results.cells.DiskFacts;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Checks what must be so for the figures to mean what they say; the list is in {@code docs/measurement.md}. */
public final class Checks {
    /** A logged median below this share of the one without logging is no matter of chance. */
    static final double LEAST_OF_BASELINE = 0.9;

    /** The address of a log that this machine keeps, going by the first server of its ZooKeeper. */
    private static final String ON_LOOPBACK = "[a-z]+://(127\\.[0-9.]+|localhost|\\[::1\\]):.*";

    private final RunInfo info;
    private final List<CellAnalysis.Found> cells;
    private final List<Check> checks = new ArrayList<>();

    private Checks(RunInfo info, List<CellAnalysis.Found> cells) {
        this.info = info;
        this.cells = cells;
    }

    /** Applies every check to a run, in the order of the report. */
    public static List<Check> of(
            RunInfo info,
            Results.Partial partial,
            List<CellAnalysis.Found> cells,
            List<SideEvents> events,
            List<LoadSummary> load,
            List<Results.Overhead> overhead) {
        Checks checks = new Checks(info, cells);
        if (info.isOfDisks()) {
            checks.directories(partial);
            checks.checks.addAll(MachineChecks.ofOne(SideEvents.CLIENT, events));
        } else {
            checks.server(partial, events, load, overhead);
        }
        // What matters most comes first: that a run is not valid, and why.
        checks.checks.sort(
                Comparator.comparingInt(check -> check.ok() ? 2 : check.severity() == Severity.INVALID ? 0 : 1));
        return List.copyOf(checks.checks);
    }

    private void server(
            Results.Partial partial, List<SideEvents> events, List<LoadSummary> load, List<Results.Overhead> overhead) {
        if (info.plan().load().isEmpty()) {
            complete(partial);
            failures(partial);
            batches();
            rate();
            lag();
            checks.add(BlockCheck.of(cells));
        } else {
            checks.addAll(LoadChecks.of(partial, load));
        }
        durations();
        checks.add(SteadyCheck.of(cells));
        baseline(overhead);
        info.targets().forEach(this::storage);
        info.targets().forEach(this::writeCache);
        checks.addAll(
                info.plan().load().isEmpty()
                        ? MachineChecks.ofRun(events, bookiesHere(info), info.isOneMachine(), this::cpuLimit)
                        : MachineChecks.of(events, bookiesHere(info)));
    }

    private String cpuLimit(String side) {
        String limit = (side.equals(SideEvents.CLIENT) ? info.client() : info.server()).getOrDefault("cgroupCpu", "");
        return limit.equals(MachineFacts.NO_LIMIT) ? "" : limit;
    }

    private void directories(Results.Partial partial) {
        checks.add(CheckRule.COMPLETE.check(
                !partial.partial(),
                Severity.INVALID,
                partial.partial() ? "It ended early: " + partial.reason() + "." : "Every cell had its turns."));
        StableStorageVerdicts.judge(info.targets(), results()).forEach(this::plausible);
    }

    private List<Cell> results() {
        return cells.stream().map(CellAnalysis.Found::cell).toList();
    }

    private void complete(Results.Partial partial) {
        long planned =
                (long) info.plan().sizesBytes().size() * info.plan().targets().size();
        long full = cells.stream()
                .filter(found -> found.cell().count() + found.cell().failures()
                        >= info.plan().iterations())
                .count();
        boolean ok = !partial.partial() && full == planned;
        String found = Units.count(full) + " of " + Units.count(planned) + " cells have all "
                + Units.count(info.plan().iterations()) + " requests";
        checks.add(CheckRule.COMPLETE.check(
                ok,
                Severity.WARNING,
                ok
                        ? "All " + found + "."
                        : "Only " + found + (partial.partial() ? ": " + partial.reason() : "") + "."));
    }

    /** A request without a reply where the run broke off is the end of the run, not a failure within it. */
    private void failures(Results.Partial partial) {
        long lost = partial.partial() ? lost(cells) : 0;
        long failed = cells.stream().mapToLong(found -> found.cell().failures()).sum() - lost;
        long counted = cells.stream().mapToLong(found -> found.cell().count()).sum();
        checks.add(CheckRule.FAILURES.check(
                failed == 0,
                Severity.INVALID,
                failed == 0
                        ? "Every one of " + Units.count(counted) + " counted requests was answered with OK."
                        : requests(failed) + " not answered with OK and " + (failed == 1 ? "is" : "are")
                                + " in no figure."));
    }

    /** How many requests after the warm-up got no reply. */
    public static long lost(List<CellAnalysis.Found> cells) {
        return cells.stream().mapToLong(found -> found.problems().unanswered()).sum();
    }

    private static String requests(long count) {
        return count == 1 ? "1 request was" : Units.count(count) + " requests were";
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

    private void batches() {
        long shared =
                cells.stream().mapToLong(found -> found.problems().shared()).sum();
        if (info.plan().connections() == 1) {
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
        double offered = info.plan().ratePerSecond();
        if (offered <= 0) {
            return;
        }
        String below = cells.stream()
                .map(CellAnalysis.Found::cell)
                .filter(cell -> cell.count() > 0 && cell.requestsPerSecond() < 0.99 * offered)
                .map(Checks::name)
                .collect(Collectors.joining(", "));
        checks.add(CheckRule.RATE.check(
                below.isEmpty(),
                Severity.INVALID,
                below.isEmpty()
                        ? "At least 99 % of the offered rate was reached in every cell."
                        : "Less than 99 % of the offered rate was reached in " + below + "."));
    }

    private void lag() {
        if (info.plan().ratePerSecond() <= 0) {
            return;
        }
        List<CellAnalysis.Found> late = late(ScheduleLag.TOO_MUCH);
        boolean invalid = !late.isEmpty();
        List<CellAnalysis.Found> named = invalid ? late : late(ScheduleLag.NOTICEABLE);
        checks.add(CheckRule.SCHEDULE_LAG.check(
                named.isEmpty(),
                invalid ? Severity.INVALID : Severity.WARNING,
                named.isEmpty()
                        ? "At least 99 % of the requests were sent within a tenth of the median latency of their time."
                        : "More than 1 % of the requests were sent later than intended by more than a tenth of the median"
                                + " latency in "
                                + named.stream()
                                        .map(found -> name(found.cell()) + " ("
                                                + Micros.text(Micros.ofNanos(
                                                        found.problems().lagP99Nanos()))
                                                + " µs)")
                                        .collect(Collectors.joining(", "))
                                + (invalid
                                        ? ": the offered load was not what the plan says."
                                        : ", though by less than a tenth of the mean and of the 99th percentile.")));
    }

    private List<CellAnalysis.Found> late(ScheduleLag how) {
        return cells.stream()
                .filter(found -> {
                    Results.Distribution latency = found.cell().endToEndMicros();
                    return latency != null
                            && how
                                    == ScheduleLag.of(
                                            Micros.ofNanos(found.problems().lagMeanNanos()),
                                            Micros.ofNanos(found.problems().lagP99Nanos()),
                                            latency.mean(),
                                            latency.p50(),
                                            latency.p99());
                })
                .toList();
    }

    /** Whether a measured log is on bookies of the server's own machine, as far as its address says. */
    private static boolean bookiesHere(RunInfo info) {
        return info.targets().stream()
                .filter(target -> info.plan().targets().contains(target.name()))
                .filter(target -> target.forceLabel().isForcedElsewhere())
                .anyMatch(target -> target.facts().getOrDefault("address", "").matches(ON_LOOPBACK));
    }

    private void writeCache(RunInfo.Target target) {
        if (!info.plan().targets().contains(target.name())
                || !target.forceLabel().forces()
                || target.forceLabel().isForcedElsewhere()) {
            return;
        }
        String cache = target.facts().getOrDefault("writeCache", "unknown");
        boolean known = !cache.equals("unknown");
        checks.add(CheckRule.WRITE_CACHE.check(
                target.name(),
                known,
                Severity.INVALID,
                known
                        ? "The kernel says that the device's write cache is " + cache + "."
                        : "The kernel does not say whether the device under " + target.name()
                                + " has a volatile write cache, so the effect of a force is not known."));
    }

    /** Logging cannot make a request faster; where it seems to, there is another cause, such as sleeping processors. */
    private void baseline(List<Results.Overhead> overhead) {
        String faster = overhead.stream()
                .filter(row -> row.ratioOfMedians().ratio() < LEAST_OF_BASELINE || row.seen() == Results.Seen.SHORTER)
                .map(row -> row.target() + " at " + Units.size(row.payloadBytes()) + " (medians "
                        + Units.ratio(row.ratioOfMedians().ratio()) + ", means "
                        + Units.ratio(row.ratioOfMeans().ratio()) + ")")
                .collect(Collectors.joining(", "));
        checks.add(
                CheckRule.BASELINE.check(
                        faster.isEmpty(),
                        Severity.WARNING,
                        faster.isEmpty()
                                ? "Nothing with logging was clearly faster than without."
                                : "With logging, requests seem faster than without for " + faster
                                        + ". Logging cannot make a request faster: most likely the processors slept between requests"
                                        + " without logging and took long to wake up. Do not read the figures there as the cost of logging."));
    }

    /** The median end to end in microseconds; NaN if nothing was counted. */
    static double median(CellAnalysis.Found found) {
        Results.Distribution endToEnd = found.cell().endToEndMicros();
        return endToEnd == null ? Double.NaN : endToEnd.p50();
    }

    private void storage(RunInfo.Target target) {
        if (!target.forceLabel().forces() || !info.plan().targets().contains(target.name())) {
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

    /** As people call a cell. */
    static String name(Cell cell) {
        return cell.target() + " at " + Units.size(cell.payloadBytes());
    }
}
