package io.plog.results.model;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.plog.measure.load.LoadSummary;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Directories;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.JsonLabelled;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Plan;
import io.plog.measure.plan.SizeShare;
import io.plog.measure.samples.Bin;
import io.plog.measure.samples.ForceLabel;
import io.plog.measure.samples.TrialRecord.SearchLoad;
import io.plog.results.model.Claim.Verdict;
import io.plog.stats.Estimate;
import io.plog.stats.Fences;
import io.plog.stats.Percentile;
import io.plog.stats.SerialDependence;
import io.plog.stats.Tail;
import io.plog.stats.text.Units;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a run found: the content of {@code results.json}, field by field. The schema is
 * {@code docs/results.schema.json}, the definitions are in {@code docs/measurement.md}. Times are microseconds.
 *
 * @param schemaVersion version of this layout
 * @param kind {@code run}, {@code load}, {@code disk} or {@code study}
 * @param plogVersion version of the client that measured
 * @param startedAt when the run began, ISO-8601 in UTC
 * @param partial whether it is complete
 * @param environment where it ran
 * @param plan what was to be measured
 * @param cells a target and a payload size each, by size and then in the server's order of targets; of a directory or a design,
 *     with its other dimensions; those of a study by load
 * @param overhead each logged cell against the cell of the same size without logging; of a study, each design against another
 *     at the same rate
 * @param claims what the run says about the published claims
 * @param validity what was checked before believing the figures
 * @param stableStorage for each target that forces, whether its figures look like those of stable media
 * @param command the command line that repeats it
 * @param plan what was to be measured
 * @param pauses what interrupted client, server and machine, summed up by kind
 * @param load of a load run, the rates and errors of each target; else empty
 * @param maxRate of a load that was searched for, the largest rate that keeps a condition; else null
 * @param cost what logging costs, in sentences, the one that matters most first
 * @param conditions what was to be run and how both sides waited
 */
public record Results(
        int schemaVersion,
        Kind kind,
        String plogVersion,
        String startedAt,
        Partial partial,
        Environment environment,
        String command,
        Plan plan,
        List<Cell> cells,
        List<Overhead> overhead,
        List<Claim> claims,
        List<Check> validity,
        List<StableStorage> stableStorage,
        List<Pauses> pauses,
        List<LoadSummary> load,
        @Nullable MaxRate maxRate,
        List<Cost> cost,
        List<Fact> conditions) {

    /** The layout that this version writes. */
    public static final int SCHEMA_VERSION = 1;

    /** Whether its figures may be used, and so judged. */
    @JsonIgnore
    public boolean isValid() {
        return validity.stream().noneMatch(Check::invalidates);
    }

    /** What was measured. */
    public enum Kind implements JsonLabelled {
        /** Requests to the targets of a server, in randomised blocks. */
        RUN,
        /** A load on a server. */
        LOAD,
        /** Appends to directories, without a server. */
        DISK,
        /** Designs of a server, each under several loads. */
        STUDY,
        /** A server that is killed and started again. */
        RECOVERY;

        /** What a plan measures. */
        public static Kind of(Plan plan) {
            return plan instanceof Grid
                    ? RUN
                    : plan instanceof Load
                            ? LOAD
                            : plan instanceof Directories ? DISK : plan instanceof Designs ? STUDY : RECOVERY;
        }
    }

    /** Whether the run ended before its plan was done, and why; the reason is empty if it did not. */
    public record Partial(boolean partial, String reason) {}

    /**
     * Facts by name about the client's and the server's machine, and about each target's directory. Without a server, the client's
     * machine is the only one.
     */
    public record Environment(Map<String, String> client, Map<String, String> server, List<Target> targets) {
        /** The machine with the disks. */
        public Map<String, String> diskMachine() {
            return server.isEmpty() ? client : server;
        }
    }

    /**
     * A target, a directory, or the design of a server.
     *
     * @param force its way of forcing; empty for a directory, of which each cell has one
     * @param stableStorage whether an acknowledgement means that the record is on stable storage
     */
    public record Target(int id, String name, String force, boolean stableStorage, Map<String, String> facts) {
        /** What the label of its way of forcing says. */
        public ForceLabel forceLabel() {
            return new ForceLabel(force);
        }

        /** Its name in figures and sentences, with its way of forcing where the name does not say it. */
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public String label() {
            return forceLabel().equals(ForceLabel.OFF)
                    ? "without logging"
                    : name.startsWith(force) || !forceLabel().isKnown() ? name : name + " (" + force + ")";
        }
    }

    /**
     * What logging costs, for a reader who knows no statistics.
     *
     * @param target that the sentence is about; null if it is about the run
     */
    public record Cost(@Nullable String target, String sentence) {}

    /**
     * The largest rate that keeps a condition.
     *
     * @param perSecond the largest rate at which a long load kept it, also the lower end of the interval; the upper one is the lowest at
     *     which a long load surely did not. 0 if no rate keeps it, null if none is confirmed
     * @param loads of the search, by their rates
     */
    public record MaxRate(String condition, @Nullable Estimate perSecond, String sentence, List<SearchLoad> loads) {}

    /** A condition of the run. */
    public record Fact(String name, String text) {}

    /**
     * The figures of one distribution in microseconds; percentiles by nearest rank. In JSON each {@link Percentile} is a field, too.
     *
     * @param sd divided by n - 1
     * @param meanInterval the 95 % interval of the mean; null where none was computed
     * @param quantiles each {@link Percentile} with its 95 % interval
     */
    @JsonIgnoreProperties(ignoreUnknown = true) // the fields of the percentiles
    public record Distribution(
            double mean,
            double sd,
            double min,
            double max,
            @Nullable Interval meanInterval,
            List<Quantile> quantiles) {
        public Quantile at(Percentile percentile) {
            return quantiles.stream()
                    .filter(quantile -> quantile.q() == percentile.q())
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the results have no " + percentile.words()));
        }

        /** The median in microseconds. */
        public double p50() {
            return at(Percentile.P50).micros();
        }

        /** The 99th percentile in microseconds. */
        public double p99() {
            return at(Percentile.P99).micros();
        }

        /** In microseconds, by their labels. */
        @JsonAnyGetter
        public Map<String, Double> percentiles() {
            Map<String, Double> percentiles = new LinkedHashMap<>();
            for (Percentile percentile : Percentile.values()) {
                percentiles.put(percentile.label(), at(percentile).micros());
            }
            return percentiles;
        }

        /** The mean with its interval. No duration is below 0, whatever the arithmetic of an interval says of few samples. */
        public Estimate meanEstimate() {
            Double low = meanInterval == null ? null : meanInterval.low();
            return new Estimate(
                    mean,
                    low == null ? null : (Double) Math.max(0, low),
                    meanInterval == null ? null : meanInterval.high());
        }
    }

    /** A 95 % interval; an end is null if the samples do not bound it. */
    public record Interval(@Nullable Double low, @Nullable Double high) {
        /** That of a figure. */
        public static Interval of(Estimate figure) {
            return new Interval(figure.low(), figure.high());
        }
    }

    /**
     * A quantile with its 95 % interval.
     *
     * @param q from 0 to 1
     */
    public record Quantile(double q, double micros, Interval interval) {
        public Estimate estimate() {
            return new Estimate(micros, interval.low(), interval.high());
        }
    }

    private static final int RATIO_DIGITS = 6;

    /**
     * A peak of a distribution that survived the bootstrap.
     *
     * @param micros where it is highest
     * @param share of the requests that belong to it, 0 to 1
     */
    public record Peak(double micros, double share) {}

    /**
     * Whether a cell came to rest.
     *
     * @param reached whether it did, in more than half of the trials
     * @param detail what was seen, in a sentence
     */
    public record Steady(boolean reached, String detail) {}

    /** A cell's part in one trial, counted from 0. */
    public record TrialPart(
            int trial,
            long count,
            double endToEndMean,
            double endToEndMedian,
            @Nullable Double logMean,
            @Nullable Double logMedian) {}

    /**
     * A target and a payload size; of a directory, groups of appends of a size, whose logging latency is write and force
     * together.
     *
     * @param dimensions what else distinguishes it from others: {@code file}, {@code appends} that share a force and {@code neighbour} of a
     *     directory's cells; of a design's those of {@link io.plog.measure.plan.StudyCell}; empty for a target of a server
     * @param neighbourOperations what the neighbour did meanwhile; null without one
     * @param count counted requests: after the warm-up and answered with OK
     * @param warmup requests of the warm-up, without those that were run again after an interruption
     * @param failures requests after the warm-up that were not answered with OK
     * @param requestsPerSecond counted requests by the time in which this cell ran
     * @param recordsPerForce mean number of records of a force, each force counted once; 0 for {@code off}
     * @param logMicros logging latency (waiting, batch wait, write, force); null for {@code off} and for a mix of logged and
     *     read-only requests
     * @param writeMicros the write alone; null for {@code off} and for a design
     * @param forceMicros the force alone; null for {@code off} and for a design
     * @param endToEndMicros from sending a request until its reply had arrived; null if nothing was counted, and for a directory
     * @param logTail logged requests far above the median; null for {@code off}
     * @param endToEndTail answered requests far above the median
     * @param slowest the slowest requests, slowest first; empty for a design
     * @param fromIntendedMicros from the intended time of sending until the reply had arrived; null in a closed loop,
     *     which has no intended times
     * @param logPeaks peaks of the logging latency; empty for {@code off} and for a design
     * @param endToEndPeaks peaks of the end-to-end latency; empty for a design
     * @param dependence how much the requests depend on each other
     * @param endToEndOutliers how many requests lie beyond the fences
     * @param steady whether it came to rest; null if nothing was counted
     * @param trials its trials, in order
     * @param components where the end-to-end latency goes; null if nothing was counted, and for a directory
     * @param underLoad what only a design under a load has; else null
     * @param recovered what only a log has whose server was killed; else null. Its end-to-end latency is the time from the kill until the
     *     first answer of the new server
     * @param overTime how a load or an append went on; else null
     */
    public record Cell(
            String target,
            String force,
            int payloadBytes,
            Map<String, String> dimensions,
            @Nullable Long neighbourOperations,
            long count,
            long warmup,
            long failures,
            double requestsPerSecond,
            double recordsPerForce,
            @Nullable Distribution logMicros,
            @Nullable Distribution writeMicros,
            @Nullable Distribution forceMicros,
            @Nullable Distribution endToEndMicros,
            @Nullable Tail logTail,
            @Nullable Tail endToEndTail,
            List<Slow> slowest,
            @Nullable Distribution fromIntendedMicros,
            List<Peak> logPeaks,
            List<Peak> endToEndPeaks,
            @Nullable SerialDependence dependence,
            @Nullable Fences endToEndOutliers,
            @Nullable Steady steady,
            List<TrialPart> trials,
            @Nullable Components components,
            @Nullable UnderLoad underLoad,
            @Nullable Recovered recovered,
            @Nullable OverTime overTime) {
        /** What the label of its way of forcing says. */
        public ForceLabel forceLabel() {
            return new ForceLabel(force);
        }

        /** The value of one of the other dimensions; empty if it has none of that name. */
        public String dimension(String name) {
            return dimensions.getOrDefault(name, "");
        }
    }

    /**
     * What only a log has whose server was killed, again and again.
     *
     * @param requests after which it was killed first
     * @param filledPerSecond requests a second while it was filled; null if it was not
     * @param startMillis of the process, and of whatever is neither of the others, in the mean over the trials
     * @param openMillis of the log
     * @param replayMillis executing again what no checkpoint holds
     * @param firstAnswerMillis all of them, from the kill on
     * @param trials in order
     */
    public record Recovered(
            long requests,
            @Nullable Double filledPerSecond,
            Estimate startMillis,
            Estimate openMillis,
            Estimate replayMillis,
            Estimate firstAnswerMillis,
            List<RecoveredTrial> trials) {}

    /**
     * One kill.
     *
     * @param trial from 0
     * @param inLog records that the log had
     * @param replayed those of them that were executed again
     * @param discarded requests that were sent again and were in the log already
     */
    public record RecoveredTrial(
            int trial,
            double startMillis,
            double openMillis,
            double replayMillis,
            double firstAnswerMillis,
            long inLog,
            long replayed,
            long discarded) {}

    /**
     * What only a design under a load has.
     *
     * @param trials rates and errors of each trial, as of a load; each is named in words
     * @param problems a sentence for each trial that was not the load that was asked for; else empty
     * @param confirmedPerSecond the largest rate that the design was seen to keep, of a cell at infinite demand, likewise over the
     *     trials; null elsewhere, or if none was found
     * @param acceptedPerSecond replies with status OK a second, with an interval over the trials, or over the tenths of the only one
     * @param megabytesPerSecond their payload one way, likewise
     * @param serverMicrosPerRequest processor time of the server for a reply; null if it is not known
     * @param batchRecords forces by the number of records that shared them
     * @param readyChannels turns of the event loops by the number of connections that had something to read; empty if the server
     *     does not say
     * @param meanReadyChannels its mean with an interval over the trials; null if it does not say
     * @param inversion null if there was one size only, or few requests
     * @param deciles likewise
     * @param workload of a mix of logged and read-only requests; else null
     */
    public record UnderLoad(
            List<LoadSummary> trials,
            List<String> problems,
            @Nullable Estimate confirmedPerSecond,
            Estimate acceptedPerSecond,
            Estimate megabytesPerSecond,
            @Nullable Double serverMicrosPerRequest,
            List<Bin> batchRecords,
            List<Bin> readyChannels,
            @Nullable Estimate meanReadyChannels,
            @Nullable Inversion inversion,
            @Nullable Deciles deciles,
            @Nullable Workload workload) {
        private static final int TRIALS_FOR_A_PROBLEM = 5;

        /**
         * Whether it was the load that was asked for, in all trials but one of five. That one stays in the figures and widens their
         * intervals.
         */
        public boolean wasKept() {
            return problems.size() * TRIALS_FOR_A_PROBLEM <= trials.size();
        }

        /** Mean of a figure over the trials; 0 without any. */
        public double mean(ToDoubleFunction<LoadSummary> figure) {
            return Units.rounded(trials.stream().mapToDouble(figure).average().orElse(0), RATIO_DIGITS);
        }

        /** Requests due a second; of infinite demand those that were answered. */
        public double offeredPerSecond() {
            return mean(trial -> {
                Double offered = trial.offeredPerSecond();
                return offered == null ? trial.answeredPerSecond() : offered;
            });
        }

        /** Whether every trial kept the rate. */
        public boolean sustained() {
            return trials.stream().allMatch(LoadSummary::sustained);
        }
    }

    /**
     * Service inversion, as {@link io.plog.stats.ServiceInversion}.
     *
     * @param random that of random orders
     */
    public record Inversion(Estimate value, Estimate random) {}

    /**
     * Sizes by tenths of the latency, as {@link io.plog.stats.LatencyDeciles}.
     *
     * @param shares of each tenth, for each of the series
     */
    public record Deciles(List<SizeShare> series, List<List<Double>> shares) {}

    /**
     * A mix of logged and read-only requests.
     *
     * @param parts the latency, then waiting, service and the rest, {@code unread or network}
     * @param notes what is to be named, in sentences
     * @param idleNetworkMicros what the network takes of such a request, in the mean, where nothing else is under way; null if it
     *     was not measured
     */
    public record Workload(
            List<WorkloadPart> parts,
            List<String> notes,
            @Nullable Double idleNetworkMicros) {}

    /**
     * A component of a workload's requests, or their latency.
     *
     * @param share its mean by that of the latency
     * @param multiples the 95th, 99th and 99.9th percentile by the median
     * @param shareOfVariance the part of the latency's variance that the component makes: its covariance with the latency by that
     *     variance. Those of the components add up to 1; one is negative if it is short where the latency is long
     */
    public record WorkloadPart(
            String name,
            Distribution micros,
            List<Peak> peaks,
            Estimate share,
            List<Estimate> multiples,
            Estimate shareOfVariance) {
        /** Checks the number of multiples. */
        public WorkloadPart {
            if (multiples.size() != 3) {
                throw new IllegalArgumentException("a part has " + multiples.size() + " multiples, expected 3");
            }
        }
    }

    /**
     * How a cell went on: its slots, where the medians of these change their level, and the slowest request of each of its ten worst
     * moments.
     */
    public record OverTime(List<Slot> slots, List<Level> levels, List<Slow> worst) {}

    /**
     * Counted requests of a second, of a minute, of an hour: latencies in microseconds, from the intended time on, if there is a rate.
     *
     * @param startSeconds since the start of the run
     * @param p999 of fewer than a thousand the greatest, likewise {@code p99} of fewer than a hundred
     */
    public record Slot(long startSeconds, long count, double p50, double p99, double p999) {}

    /** A change of level: when, since the start of the run, and the medians of the slots' medians before and after. */
    public record Level(long atSeconds, double beforeMicros, double afterMicros) {}

    /**
     * One slow request.
     *
     * @param request which of the cell's counted requests, from 1
     * @param trial the trial that it belongs to, from 0
     * @param atSeconds when it was sent, since the start of the run
     * @param endToEndMicros from the intended time on, if there is a rate
     * @param logMicros null, as those that follow, if the server does not tell
     * @param parts as in {@link Components}; they add up to {@code endToEndMicros}; none if the server tells none
     * @param overlaps what went on meanwhile, longest overlap first
     */
    public record Slow(
            long request,
            int trial,
            double atSeconds,
            double endToEndMicros,
            @Nullable Double logMicros,
            @Nullable Double writeMicros,
            @Nullable Double forceMicros,
            List<Part> parts,
            List<Overlap> overlaps) {}

    /**
     * Something that went on during a request.
     *
     * @param side {@code client}, {@code server} or {@code machine}
     * @param kind such as {@code gc}, {@code hiccup}, {@code force}, {@code segment change}, {@code steal}
     * @param micros how long both lasted together
     * @param detail in a few words; may be empty
     */
    public record Overlap(String side, String kind, double micros, String detail) {}

    /**
     * What interrupted one side, summed up.
     *
     * @param side {@code client}, {@code server} or {@code machine}
     * @param count how often
     */
    public record Pauses(String side, String kind, long count, double totalMicros, double maxMicros) {}

    /**
     * Whether a target's figures look like those of stable media.
     *
     * @param verdict {@code consistent}, {@code volatile-cache} or {@code cannot-tell}
     * @param sentence the verdict as people read it
     * @param reasons sentences, the weightiest first
     */
    public record StableStorage(String target, String verdict, String sentence, List<String> reasons) {}

    /**
     * Where the end-to-end latency goes; the parts of each list add up to its latency.
     *
     * @param endToEndMicros mean, from the intended time on if there is a rate
     * @param executionMicros the execution's mean; for a logged target it runs while the log is forced
     * @param parts at the mean
     * @param atMedian mean parts of the requests around the median
     * @param atP99 mean parts of the requests around the 99th percentile
     */
    public record Components(
            double endToEndMicros, double executionMicros, List<Part> parts, List<Part> atMedian, List<Part> atP99) {}

    /** A part: its mean and its share of the end-to-end latency, 0 to 1. */
    public record Part(String name, double micros, double share) {}

    /**
     * What logging costs end to end; of a study, how a design differs from another at the same rate.
     *
     * @param dimensions what else distinguishes the cell from others, as in {@link Cell}
     * @param against the target that it is compared with
     * @param offMeanMicros the mean of that
     * @param paired whether the interval pairs the blocks of the plan
     * @param verdict Z5 for this size; of a study whether the factor is like the published one
     * @param shift the shift function: the difference at each decile and in the tail
     * @param sentence of a study, what it means for a reader who knows no statistics; else empty, as {@link Cost} says it of all
     *     sizes
     */
    public record Overhead(
            String target,
            int payloadBytes,
            Map<String, String> dimensions,
            String against,
            double meanMicros,
            double offMeanMicros,
            Ratio ratioOfMeans,
            Ratio ratioOfMedians,
            boolean paired,
            Verdict verdict,
            @Nullable Estimate differenceOfMeansMicros,
            @Nullable Estimate differenceOfMediansMicros,
            List<Shift> shift,
            String sentence) {
        /** What the run can say. A ratio that is surely above 1 counts as seen, too: it is the steadier of the two for skewed means. */
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public Seen seen() {
            Estimate difference = difference();
            if (isAbove(difference.low(), 0) || isAbove(ratioOfMeans.low(), 1)) {
                return Seen.LONGER;
            }
            Double high = difference.high();
            if (high == null || high > offMeanMicros) {
                return Seen.UNCLEAR;
            }
            return high < 0 ? Seen.SHORTER : Seen.NO_DIFFERENCE;
        }

        /** How much it can be at most; null if the samples do not bound it. */
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public @Nullable Double atMostMicros() {
            return difference().high();
        }

        /** Of the means; without an interval if the results have none. */
        public Estimate difference() {
            return differenceOfMeansMicros != null
                    ? differenceOfMeansMicros
                    : new Estimate(meanMicros - offMeanMicros, null, null);
        }

        private static boolean isAbove(@Nullable Double low, double limit) {
            return low != null && low > limit;
        }
    }

    /** What a run can say of one size. */
    public enum Seen implements JsonLabelled {
        LONGER,
        /** The interval of the difference holds 0. */
        NO_DIFFERENCE,
        /** It holds 0, and as much as a request takes without logging: so wide it shows nothing. */
        UNCLEAR,
        /** Logging cannot do that: something else differed. */
        SHORTER;
    }

    /**
     * How much later a quantile of the logged requests is than that of the others.
     *
     * @param q from 0 to 1
     * @param micros the difference
     */
    public record Shift(double q, double micros, Interval interval) {}

    /** A ratio with its 95 % interval; an end is null if the samples do not bound it. */
    public record Ratio(
            double ratio, @Nullable Double low, @Nullable Double high) {
        public Estimate estimate() {
            return new Estimate(ratio, low, high);
        }
    }
}
