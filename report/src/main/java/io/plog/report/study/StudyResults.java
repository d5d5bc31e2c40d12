package io.plog.report.study;

import io.plog.measure.study.Bin;
import io.plog.report.results.Check;
import io.plog.report.results.Claim;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a load study found: the content of {@code study.json}, field by field; its schema is {@code docs/study.schema.json}, the
 * definitions are in {@code docs/measurement.md}. Durations are microseconds, shares 0 to 1, rates per second.
 *
 * @param schemaVersion version of this layout
 * @param kind always {@code "study"}, so that nobody takes it for the results of a measurement
 * @param plogVersion version of the program that measured
 * @param startedAt when it began, ISO-8601 in UTC
 * @param partialReason why it ended before its plan was done; empty if it did not
 * @param environment where it ran
 * @param plan what was to be measured
 * @param capacities throughput at infinite demand, one for each design and size of the plan
 * @param loads each design under each load
 * @param workloads mixes of logged and read-only requests, as in the third study
 * @param machines the same on machines of different speed; empty if that was not asked for
 * @param comparisons designs against the dedicated one at the same absolute load
 * @param claims what it says about the published findings
 * @param validity what was checked before believing the figures
 * @param controls each design with a target that logs nothing
 */
public record StudyResults(
        int schemaVersion,
        String kind,
        String plogVersion,
        String startedAt,
        String partialReason,
        Environment environment,
        Plan plan,
        List<Capacity> capacities,
        List<Load> loads,
        List<Workload> workloads,
        List<Machine> machines,
        List<Comparison> comparisons,
        List<Claim> claims,
        List<Check> validity,
        List<Control> controls) {

    /** The layout that this version writes. */
    public static final int SCHEMA_VERSION = 1;

    /** Facts by name about the client's and the server's machine and the log's directory. */
    public record Environment(Map<String, String> client, Map<String, String> server, Map<String, String> directory) {}

    /**
     * What was to be measured.
     *
     * @param command the command line that repeats it
     * @param designs labels as {@code --design} takes them, with the number of event loops, such as {@code inline} or
     *     {@code dedicated, 4 loops}
     * @param force the way of forcing
     * @param connections of the capacity cells and of the loads
     * @param requestsPerConnection after which a connection is made anew; 0 if never
     * @param mix the sizes with their shares
     * @param relativeLoads as shares of each design's own capacity
     * @param absoluteRates for all designs alike
     * @param trials repetitions of each cell, each with a fresh server
     */
    public record Plan(
            String command,
            List<String> designs,
            String force,
            String arrivals,
            int connections,
            int requestsPerConnection,
            List<SizeShare> mix,
            List<Double> relativeLoads,
            List<Double> absoluteRates,
            int trials,
            double secondsPerCell,
            long seed) {}

    /** A size, or a class of sizes, and its share of the requests. */
    public record SizeShare(int fromBytes, int toBytes, double share) {}

    /** A figure with its 95 % interval; an end is null if the data do not bound it. */
    public record Estimate(
            double value, @Nullable Double low, @Nullable Double high) {}

    /**
     * Throughput at infinite demand.
     *
     * @param sizes which sizes: {@code mix}, or one such as {@code 1 kB}
     * @param machine which machine, as in {@link Machine}; empty outside that comparison
     * @param perTrial requests per second of each trial
     * @param serverMicrosPerRequest processor time of the server for a request; null if it could not be read
     */
    public record Capacity(
            String design,
            String sizes,
            String machine,
            Estimate requestsPerSecond,
            Estimate megabytesPerSecond,
            List<Double> perTrial,
            @Nullable Double serverMicrosPerRequest,
            double meanBatchRecords) {}

    /**
     * The in-memory control of a design: the same server, mix and connections with a target that logs nothing.
     *
     * @param requestsPerSecond throughput at infinite demand
     * @param loggedShare the design's capacity with the log, by this one; as wide as both intervals allow
     * @param load at the highest relative load, as a share of {@code requestsPerSecond}; null if there is none
     */
    public record Control(
            String design,
            Estimate requestsPerSecond,
            Estimate loggedShare,
            @Nullable Load load) {}

    /**
     * A latency's distribution over all requests of a cell.
     *
     * @param mean with its interval over trials or blocks
     */
    public record Latency(
            long count,
            Estimate mean,
            double p5,
            Estimate p50,
            double p90,
            Estimate p95,
            double p99,
            double p999,
            double min,
            double max) {}

    /**
     * One design under one load.
     *
     * @param kind {@code relative} to the design's own capacity, or {@code absolute}
     * @param level the share of its capacity; null for an absolute one
     * @param offeredPerSecond what was asked for
     * @param answeredPerSecond what was answered
     * @param sustained whether the offered rate was kept; the latencies of an unsustained one depend on how long it ran
     * @param latency from sending a request to its reply, as the study has it
     * @param fromIntended from the intended time of sending; what a user would have waited
     * @param lagP99 how late requests were sent, 99th percentile
     * @param refusedShare refused as overloaded
     * @param errors by status, other than that
     * @param inversion null if the mix has one size only
     * @param deciles null if so, or if there are too few responses
     * @param batchRecords how many records shared a force
     * @param readyChannels how many connections had something to read in a turn of an event loop; empty where the server does
     *     not say
     * @param components the mean of each part of the end-to-end latency, in the order of its course
     * @param serverMicrosPerRequest processor time of the server for a request
     * @param ecdf points of the latency's cumulative distribution, at most 200, ascending
     * @param meanReadyChannels the mean of {@code readyChannels} with its interval over the trials, none with one trial; null if
     *     the server does not say
     */
    public record Load(
            String design,
            String kind,
            @Nullable Double level,
            double offeredPerSecond,
            double answeredPerSecond,
            boolean sustained,
            Latency latency,
            Latency fromIntended,
            double lagP99,
            double refusedShare,
            Map<String, Long> errors,
            @Nullable Inversion inversion,
            @Nullable Deciles deciles,
            List<Bin> batchRecords,
            List<Bin> readyChannels,
            List<Part> components,
            @Nullable Double serverMicrosPerRequest,
            List<Point> ecdf,
            @Nullable Estimate meanReadyChannels) {}

    /** Service inversion, as {@link io.plog.stats.ServiceInversion}. */
    public record Inversion(Estimate value, Estimate random) {}

    /** As {@link io.plog.stats.LatencyDeciles}. */
    public record Deciles(List<SizeShare> series, List<List<Double>> shares) {}

    /** A part of the end-to-end latency. */
    public record Part(String name, double meanMicros) {}

    /** A share of requests, at most so long. */
    public record Point(double micros, double share) {}

    /**
     * A mix of logged and read-only requests.
     *
     * @param name {@code update-heavy}, {@code read-heavy}, {@code read-only}
     * @param rows latency, waiting, service and the rest, in this order; the rest is {@code network}, or {@code unread or network}
     *     of a design whose event loop blocks
     * @param roundTripMicros the shortest round trip of a small exchange with the server outside the load; null if it was not
     *     measured
     */
    public record Workload(
            String name,
            String design,
            double loggedShare,
            double answeredPerSecond,
            List<Row> rows,
            List<String> notes,
            @Nullable Double roundTripMicros) {}

    /**
     * One component of a workload's requests.
     *
     * @param shareOfMean its mean by that of the latency
     * @param peaks that survive the bootstrap, each with its share of the requests
     * @param density points of the probability mass on logarithmic bins
     * @param share {@code shareOfMean} with its interval
     * @param multiples the 95th, 99th and 99.9th percentile by the median, with intervals
     * @param shareOfVariance the part of the latency's variance that the component makes: its covariance with the latency by that
     *     variance. Those of the components add up to 1; one is negative if it is short where the latency is long
     * @param series the first trial in the order of time
     */
    public record Row(
            String component,
            Latency latency,
            double shareOfMean,
            List<Peak> peaks,
            List<Point> ecdf,
            List<DensityBin> density,
            Estimate share,
            List<Estimate> multiples,
            Estimate shareOfVariance,
            List<Stretch> series) {
        /** Checks the number of multiples. */
        public Row {
            if (multiples.size() != 3) {
                throw new IllegalArgumentException("a row has " + multiples.size() + " multiples, expected 3");
            }
        }
    }

    /**
     * The requests that were sent in one of a hundred equal stretches of the counted time.
     *
     * @param fromSeconds where it begins, from the beginning of the counted time
     */
    public record Stretch(double fromSeconds, double medianMicros, double maxMicros) {}

    /** A peak. */
    public record Peak(double micros, double share) {}

    /** A bin of a density: the share of requests in it. */
    public record DensityBin(double fromMicros, double toMicros, double share) {}

    /**
     * A machine of the latency-scalability comparison.
     *
     * @param label such as {@code 50 % of one processor}
     * @param processors how many processors' worth of time it may use
     * @param meanLatency against relative load, for each design
     */
    public record Machine(String label, double processors, List<MachineLatency> meanLatency) {}

    /** Mean latency of a design at a relative load. */
    public record MachineLatency(String design, double level, Estimate meanMicros) {}

    /**
     * A design against {@code dedicated} at the same absolute rate.
     *
     * @param meanRatio the design's mean by that of dedicated
     * @param medianRatio likewise
     * @param sentence what that says, in words
     */
    public record Comparison(
            String design,
            double ratePerSecond,
            Estimate meanRatio,
            Estimate medianRatio,
            String publishedPair,
            @Nullable Double publishedMeanRatio,
            @Nullable Double publishedMedianRatio,
            String sentence) {}
}
