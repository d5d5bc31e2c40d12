package io.plog.app.load;

import io.plog.app.cli.Failures;
import io.plog.app.cli.ResultsDirectory;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.load.LoadOrder;
import io.plog.measure.load.LoadRun;
import io.plog.measure.load.RateSearch;
import io.plog.measure.plan.Load;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.TrialRecord.RateAnswer;
import io.plog.measure.samples.TrialRecord.SearchLatency;
import io.plog.measure.samples.TrialRecord.SearchLoad;
import io.plog.results.Analysis;
import io.plog.results.compare.Assessment.Gated;
import io.plog.results.compare.Assessor;
import io.plog.results.compare.Gate;
import io.plog.results.model.Check;
import io.plog.results.model.Results;
import io.plog.results.model.Wording;
import io.plog.results.verdict.CheckRule;
import io.plog.stats.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Looks for the largest rate at which a load keeps its conditions: a closed loop says where to begin, and {@link RateSearch} which loads
 * follow. The sample file is always that of the long load with the largest rate so far, with what all said. For one thread.
 */
final class MaxRateRun {
    private static final Duration SHORT_WARM_UP = Duration.ofMillis(300);
    private static final double SHORT_SECONDS = 2;

    /** A 99th percentile of fewer requests may have no interval, so a long load is up to five times as long for them. */
    private static final double LEAST_REQUESTS = 2_000;

    private final LoadOrder order;
    private final List<Gate> conditions;
    private final Path samples;
    private final Path trying;
    private final LoadCommand command;
    private final List<SearchLoad> loads = new ArrayList<>();
    private boolean confirmed;

    /** Starts nothing yet. The order may have any rate; the command can stop each load, and says what it said. */
    MaxRateRun(LoadOrder order, List<Gate> conditions, Path out, LoadCommand command) {
        this.order = order;
        this.conditions = conditions;
        this.samples = out.resolve(SampleFileWriter.FILE_NAME);
        this.trying = out.resolve(ResultsDirectory.CELLS).resolve("trying.plog");
        this.command = command;
    }

    /** Ends early if it is stopped or a load fails; throws only if nothing was measured. */
    void run(ProgressListener progress) throws IOException, PlanException {
        Files.createDirectories(trying.resolveSibling(""));
        Load plan = order.plan();
        double seconds = plan.span().durationNanos() / 1e9;
        Load closedLoop =
                plan.closed(plan.loop().connections(), 1).warmUp(Duration.ZERO).duration(lasting(SHORT_SECONDS));
        double closed = load(closedLoop, "closed loop", progress).summary().acceptedPerSecond();
        RateSearch search = RateSearch.ofCondition(closed, LEAST_REQUESTS / (5 * seconds));
        try {
            while (!search.isOver()) {
                double enough = LEAST_REQUESTS / search.rate();
                boolean isLong = search.isConfirming();
                Load load = plan.loop(plan.loop().together(plan.loop().connections(), search.rate()))
                        .warmUp(isLong ? Duration.ofNanos(plan.span().warmUpNanos()) : SHORT_WARM_UP)
                        .duration(lasting(Math.max(isLong ? seconds : SHORT_SECONDS, isLong ? enough : enough / 4)));
                next(load, search, progress);
            }
        } catch (IOException | PlanException e) {
            if (loads.isEmpty()) {
                throw e;
            }
            command.say("the search ends early: " + Failures.sentence(e));
        }
        ResultsDirectory.delete(trying.resolveSibling(""));
    }

    private static Duration lasting(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private void next(Load load, RateSearch search, ProgressListener progress) throws IOException, PlanException {
        String name = (search.isConfirming() ? "long load " : "load ") + (loads.size() + 1) + " at "
                + Wording.perSecond(search.rate()) + "/s";
        LoadRun.Outcome outcome = load(load, name, progress);
        if (outcome.end().partial() && !outcome.overloaded()) {
            throw new IOException(name + ": " + outcome.end().reason());
        }
        SearchLoad found = judged(outcome, search);
        loads.add(found);
        command.say("  " + name + ": " + found.answer().label() + (found.why().isEmpty() ? "" : ", " + found.why()));
        boolean best = found.confirming() && found.answer() == RateAnswer.KEPT;
        if (best || !confirmed) {
            Files.move(trying, samples, StandardCopyOption.REPLACE_EXISTING);
        }
        SampleFileWriter.add(samples, best || !confirmed ? List.copyOf(loads) : List.of(found));
        confirmed |= best;
    }

    private LoadRun.Outcome load(Load load, String name, ProgressListener progress) throws IOException, PlanException {
        Files.deleteIfExists(trying);
        LoadOrder next = new LoadOrder(load, order.credentials(), null, order.command());
        return command.begun(LoadRun.open(next))
                .run(
                        trying,
                        now -> progress.progress(
                                new ProgressListener.Progress(now.done(), 0, name + ", " + now.text())));
    }

    private SearchLoad judged(LoadRun.Outcome outcome, RateSearch search) throws IOException {
        double rate = search.rate();
        boolean confirming = search.isConfirming();
        List<SearchLatency> latencies = new ArrayList<>();
        EnumMap<RateAnswer, String> said = new EnumMap<>(RateAnswer.class);
        said.put(RateAnswer.KEPT, "");
        try (SampleFileReader source = SampleFileReader.open(trying)) {
            Results results = Analysis.results(source);
            for (Gated gate :
                    Assessor.ofGates(source, results, conditions, false).gates()) {
                Estimate value = gate.value();
                Double limit = gate.limit();
                RateAnswer answer =
                        value == null || limit == null ? RateAnswer.UNDECIDED : answer(value, limit, confirming);
                said.putIfAbsent(answer, gate.figure() + " was " + gate.detail());
                if (value != null && limit != null && !gate.figure().endsWith("Share")) {
                    Double low = value.low();
                    Double high = value.high();
                    List<Double> interval = low == null || high == null ? List.of() : List.of(low, high);
                    latencies.add(new SearchLatency(gate.figure(), gate.cell(), limit, value.value(), interval));
                }
            }
            for (Check check : results.validity()) {
                boolean failures = CheckRule.FAILURES.isOf(check);
                RateAnswer answer = failures
                        ? RateAnswer.MISSED
                        : CheckRule.SCHEDULE_LAG.isOf(check) ? RateAnswer.CLIENT : RateAnswer.UNDECIDED;
                // Nobody expects of some seconds that they are steady and undisturbed.
                if (check.invalidates() && (confirming || failures || CheckRule.RATE.isOf(check))) {
                    said.putIfAbsent(answer, check.detail());
                }
            }
        }
        if (outcome.overloaded()) {
            said.put(RateAnswer.MISSED, outcome.end().reason());
        }
        Map.Entry<RateAnswer, String> weightiest = said.entrySet().iterator().next();
        search.answered(weightiest.getKey());
        return new SearchLoad(
                outcome.info().targets().get(0).id(),
                0,
                conditions.stream().map(Gate::text).collect(Collectors.joining(", ")),
                rate,
                confirming,
                weightiest.getKey(),
                latencies,
                weightiest.getValue(),
                search.isOver());
    }

    /** A short load, and what has no interval, is taken at its word; else the whole interval must lie on one side of the limit. */
    private static RateAnswer answer(Estimate value, double limit, boolean confirming) {
        if (!confirming || value.equals(Estimate.unbounded(value.value()))) {
            return value.value() > limit ? RateAnswer.MISSED : RateAnswer.KEPT;
        }
        return value.isAbove(limit) ? RateAnswer.MISSED : value.isBelow(limit) ? RateAnswer.KEPT : RateAnswer.UNDECIDED;
    }
}
