package io.plog.app.load;

import io.plog.app.cli.PlanOptions;
import io.plog.measure.HostPort;
import io.plog.measure.HttpService;
import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.LoadMode;
import io.plog.measure.plan.Loop;
import io.plog.measure.plan.Mix;
import io.plog.measure.plan.Workloads;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.results.compare.Gate;
import io.plog.stats.text.ClosestName;
import io.plog.stats.text.Labelled;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that describe a load. Set by picocli; for one thread. */
final class LoadOptions extends PlanOptions {
    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "closed, open or partly-open. Default: open with --rate or --find-max, else closed.")
    private @Nullable String mode;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Connections at once. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = {"-r", "--rate"},
            paramLabel = "R",
            description = "Requests a second over all connections, for open and partly-open.")
    private @Nullable Double rate;

    @Option(
            names = "--find-max",
            paramLabel = "CONDITION",
            description = "Look for the largest rate of an open load that keeps this, as 'p99 < 10ms' or"
                    + " 'refusedShare < 0.01'; repeatable.")
    private List<String> findMax = new ArrayList<>();

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Requests that each connection keeps outstanding, for closed. Default: 1.")
    private @Nullable Integer outstanding;

    @Option(
            names = "--arrivals",
            paramLabel = "KIND",
            description = "Times between requests, for open and partly-open: constant or poisson. Default: constant.")
    private @Nullable String arrivals;

    @Option(
            names = "--requests-per-connection",
            paramLabel = "N",
            description =
                    "Requests after which a connection is closed and made anew: for partly-open, 5 by default, as in the"
                            + " study; for closed with one outstanding request, never by default.")
    private @Nullable Integer requestsPerConnection;

    @Option(
            names = "--mix",
            paramLabel = "MIX",
            defaultValue = "100",
            description = "Payload sizes with weights, as 100=25,1k=25,2k-9k=50, or study. Default: ${DEFAULT-VALUE}.")
    private String mix;

    @Option(
            names = "--workload",
            paramLabel = "SHARE",
            defaultValue = "100%",
            description =
                    "Share of the requests that are logged: update-heavy (50%%), read-heavy (5%%), read-only (0%%)"
                            + " or a percentage. Default: 100%%.")
    private String workload;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "How long to send before counting begins. Default: ${DEFAULT-VALUE}.")
    private Duration warmup;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            description = "How long to count. Default: 60s.")
    private @Nullable Duration duration;

    @Option(
            names = {"-n", "--requests"},
            paramLabel = "N",
            description = "How many requests to count instead of --duration, for closed.")
    private @Nullable Long requests;

    @Option(
            names = "--max-outstanding",
            paramLabel = "N",
            defaultValue = "" + Load.DEFAULT_MOST_OUTSTANDING,
            description = "Number of requests without a reply at which the run is given up. Default: ${DEFAULT-VALUE}.")
    private int maxOutstanding;

    @Option(
            names = "--keep-samples",
            paramLabel = "yes|no",
            defaultValue = "yes",
            description = "no: keep bins of at most 1%% by the second instead of every sample, for loads of many hours."
                    + " Default: ${DEFAULT-VALUE}.")
    private String keepSamples;

    @Option(
            names = "--start-at",
            paramLabel = "TIME",
            description = "Begin then, as loads of other processes or machines do: a time of today, as 14:30:00, or an"
                    + " instant, as 2026-11-24T14:30:00Z. plog report --merge makes one run of them.")
    private @Nullable String startAt;

    /**
     * When to begin; null for at once.
     *
     * @throws IllegalArgumentException if it is no time, or has passed
     */
    @Nullable
    Instant startAt() {
        return startAt == null ? null : StartTime.parse(startAt, Instant.now(), ZoneId.systemDefault());
    }

    /**
     * Gates of which none may fail at the largest rate; empty if no such rate is looked for.
     *
     * @throws IllegalArgumentException if a condition is not understood, or none is about a latency
     */
    List<Gate> conditions() {
        List<Gate> gates =
                new ArrayList<>(findMax.stream().map(Gate::ofCondition).toList());
        if (!gates.isEmpty() && gates.stream().noneMatch(Gate::isOfLatency)) {
            throw new IllegalArgumentException("--find-max is '" + findMax.get(0)
                    + "', which is no latency: expected one, too, as 'p99 < 10ms', since it grows with the rate");
        }
        if (!gates.isEmpty() && gates.stream().allMatch(Gate::isOfLatency)) {
            gates.add(Gate.ofCondition("refusedShare <= 0"));
        }
        return gates;
    }

    /**
     * The load that is asked for, on one target. One that is looked for has a rate that stands for all.
     *
     * @throws IllegalArgumentException if a value is wrong or does not go with the others
     */
    Load plan(String server, String target) {
        LoadMode kindOfLoop = mode != null
                ? Labelled.of("load", mode, LoadMode.values())
                : rate == null && findMax.isEmpty() ? LoadMode.CLOSED : LoadMode.OPEN;
        Arrivals between = arrivals == null ? Arrivals.CONSTANT : Labelled.of("arrivals", arrivals, Arrivals.values());
        if (!findMax.isEmpty() && (kindOfLoop != LoadMode.OPEN || rate != null || startAt != null)) {
            throw new IllegalArgumentException("--find-max looks for the rate of an open load from one client:"
                    + " leave out --rate, --start-at and any other --mode");
        }
        double perSecond = !findMax.isEmpty() ? 1 : perSecond(kindOfLoop, rate);
        onlyFor("--outstanding", outstanding, kindOfLoop, kindOfLoop == LoadMode.CLOSED);
        onlyFor("--requests-per-connection", requestsPerConnection, kindOfLoop, kindOfLoop != LoadMode.OPEN);
        onlyFor("--arrivals", arrivals, kindOfLoop, kindOfLoop.isScheduled());
        onlyFor("--rate", rate, kindOfLoop, kindOfLoop.isScheduled());
        onlyFor("--requests", requests, kindOfLoop, kindOfLoop == LoadMode.CLOSED);
        Loop loop = switch (kindOfLoop) {
            case CLOSED -> new Loop.Closed(connections, orElse(outstanding, 1), orElse(requestsPerConnection, 0));
            case OPEN -> new Loop.Open(connections, perSecond, between);
            case PARTLY_OPEN -> new Loop.PartlyOpen(connections, perSecond, between, orElse(requestsPerConnection, 5));
        };
        Load plan = on(server, target)
                .loop(loop)
                .mix(Mix.parse(mix))
                .loggedShare(share(workload))
                .warmUp(warmup)
                .mostOutstanding(maxOutstanding)
                .keepSamples(keepsSamples())
                .seed(seed());
        if (requests == null) {
            plan = plan.duration(duration == null ? Load.DEFAULT_DURATION : duration);
        } else if (duration != null) {
            throw new IllegalArgumentException("--requests and --duration exclude each other: expected one of them");
        } else {
            if (requests < 1) {
                throw new IllegalArgumentException("--requests is " + requests + ": expected at least 1");
            }
            plan = plan.requests(requests);
        }
        return plan.checked();
    }

    private boolean keepsSamples() {
        return switch (keepSamples) {
            case "yes" -> true;
            case "no" -> false;
            default ->
                throw new IllegalArgumentException("--keep-samples is '" + keepSamples + "': expected yes or no");
        };
    }

    /** What a sample takes of the disk. */
    int bytesPerSample() {
        return keepsSamples() ? SampleFileWriter.SAMPLE_BYTES : SampleFileWriter.BINNED_BYTES;
    }

    private static int orElse(@Nullable Integer given, int usual) {
        return given == null ? usual : given;
    }

    private static Load on(String server, String target) {
        HttpService http = HttpService.of(server);
        return http != null
                ? Load.on(http.toString(), HttpService.TARGET)
                : Load.on(
                        HostPort.parseAll(server).stream()
                                .map(HostPort::toString)
                                .collect(Collectors.joining(",")),
                        target);
    }

    private static double perSecond(LoadMode mode, @Nullable Double rate) {
        if (rate == null && mode.isScheduled()) {
            throw new IllegalArgumentException(
                    "--mode " + mode.label() + " needs --rate R, the number of requests to send in a second");
        }
        return rate == null ? 0 : rate;
    }

    private static void onlyFor(String option, @Nullable Object value, LoadMode mode, boolean allowed) {
        if (value != null && !allowed) {
            throw new IllegalArgumentException(
                    option + " has no meaning with --mode " + mode.label() + ": leave it out, or choose another mode");
        }
    }

    /** The share of logged requests that a word or a percentage says. */
    static double share(String workload) {
        Double named = Workloads.SHARES.get(workload);
        if (named != null) {
            return named;
        }
        if (workload.endsWith("%")) {
            try {
                double percent = Double.parseDouble(workload.substring(0, workload.length() - 1));
                if (percent >= 0 && percent <= 100) {
                    return percent / 100;
                }
            } catch (NumberFormatException e) {
                // Said below.
            }
        }
        throw new IllegalArgumentException("--workload is '" + workload + "'"
                + ClosestName.to(workload, Workloads.SHARES.keySet())
                        .map(near -> " (did you mean '" + near + "'?)")
                        .orElse("")
                + ": expected " + String.join(", ", Workloads.SHARES.keySet())
                + ", or the share of logged requests from 0% to 100%");
    }

    /** What the options say of a load on this target. */
    Map<String, Object> values(String server, String target) {
        Map<String, Object> values = values();
        values.put("--server", server);
        if (HttpService.of(server) == null) {
            values.put("--target", target);
        }
        return values;
    }
}
