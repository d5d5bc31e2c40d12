package io.plog.results.verdict;

import io.plog.measure.load.LoadSummary;
import io.plog.protocol.Status;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import io.plog.results.model.Results;
import io.plog.results.model.Wording;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks whether a load was the one that was asked for; the list is in {@code docs/measurement.md}. */
final class LoadChecks {
    private static final String OVERLOADED = Status.OVERLOADED.name();

    private final List<LoadSummary> load;
    private final List<Check> checks = new ArrayList<>();

    private LoadChecks(List<LoadSummary> load) {
        this.load = load;
    }

    static List<Check> of(Results.Partial partial, List<LoadSummary> load) {
        LoadChecks checks = new LoadChecks(load);
        checks.complete(partial);
        checks.rate();
        checks.lag();
        checks.failures();
        checks.refusals();
        checks.connections();
        return List.copyOf(checks.checks);
    }

    /** A load that ended early is not the load that was asked for. */
    private void complete(Results.Partial partial) {
        checks.add(CheckRule.COMPLETE.check(
                !partial.partial(),
                Severity.INVALID,
                partial.partial()
                        ? "The load ended early: " + partial.reason() + "."
                        : "The load was kept up to its end, and every reply was waited for."));
    }

    private void rate() {
        for (LoadSummary each : load) {
            Double offered = each.offeredPerSecond();
            if (offered != null) {
                String found = Wording.perSecond(each.answeredPerSecond()) + " of the " + Wording.perSecond(offered)
                        + " requests a second that were due were answered; " + Units.count(each.backlogAtEnd())
                        + " were without reply at the end, " + Units.count(each.backlogAtStart())
                        + " when counting began, and " + Units.count(each.mostOutstanding()) + " at most";
                checks.add(CheckRule.RATE.check(
                        each.sustained(),
                        Severity.INVALID,
                        each.sustained()
                                ? "The offered rate was kept: " + found + "."
                                : "The offered rate could not be sustained: " + found + "."));
            }
        }
    }

    private void lag() {
        for (LoadSummary each : load) {
            LoadSummary.Times lag = each.lag();
            LoadSummary.Times latency = each.latency();
            if (lag != null && latency != null) {
                ScheduleLag late = ScheduleLag.of(each);
                String found = "p99 of the schedule lag " + Micros.text(lag.p99()) + " µs, median latency "
                        + Micros.text(latency.p50()) + " µs";
                checks.add(CheckRule.SCHEDULE_LAG.check(
                        late == ScheduleLag.IN_TIME,
                        late == ScheduleLag.NOTICEABLE ? Severity.WARNING : Severity.INVALID,
                        late == ScheduleLag.IN_TIME
                                ? "Requests were sent at their times: " + found + "."
                                : "More than 1 % of the requests were sent later than they could have been by more than a"
                                        + " tenth of the median latency"
                                        + (late == ScheduleLag.NOTICEABLE
                                                ? ", though by less than a tenth of the mean and of the 99th percentile"
                                                : "")
                                        + " (" + found
                                        + "): this client was not fast enough, or its processors were busy."));
            }
        }
    }

    private void failures() {
        Map<String, Long> errors = new TreeMap<>();
        load.forEach(each -> each.errors().forEach((status, count) -> errors.merge(status, count, Long::sum)));
        errors.remove(OVERLOADED);
        long accepted = load.stream().mapToLong(LoadSummary::accepted).sum();
        checks.add(CheckRule.FAILURES.check(
                errors.isEmpty(),
                Severity.INVALID,
                errors.isEmpty()
                        ? "Every one of " + Units.count(accepted)
                                + " requests that were not refused was answered with OK."
                        : "Requests failed and are in no figure: "
                                + errors.entrySet().stream()
                                        .map(error -> Units.count(error.getValue()) + " with " + error.getKey())
                                        .collect(Collectors.joining(", "))
                                + "."));
    }

    /** What a full server refuses is a result, and no latency. */
    private void refusals() {
        long refused = load.stream()
                .mapToLong(each -> each.errors().getOrDefault(OVERLOADED, 0L))
                .sum();
        long sent = load.stream().mapToLong(LoadSummary::sent).sum();
        checks.add(CheckRule.REFUSALS.check(
                refused == 0,
                Severity.WARNING,
                refused == 0
                        ? "The server refused nothing as overloaded."
                        : String.format(
                                Locale.ROOT,
                                "The server refused %s of %s requests (%.2f %%) as overloaded; latencies are those of the"
                                        + " others.",
                                Units.count(refused),
                                Units.count(sent),
                                100.0 * refused / sent)));
    }

    private void connections() {
        long lost = load.stream().mapToLong(LoadSummary::connectionsLost).sum();
        long failed = load.stream().mapToLong(LoadSummary::connectionsFailed).sum();
        checks.add(CheckRule.CONNECTIONS.check(
                lost + failed == 0,
                Severity.WARNING,
                lost + failed == 0
                        ? "No connection was lost, and each could be made."
                        : Units.count(lost) + " connections were lost and made anew, " + Units.count(failed)
                                + " attempts to make one failed."));
    }
}
