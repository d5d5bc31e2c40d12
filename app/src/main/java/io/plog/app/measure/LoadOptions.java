package io.plog.app.measure;

import io.plog.app.cli.HostPort;
import io.plog.app.cli.TimeSpan;
import io.plog.measure.PlanFile;
import io.plog.measure.load.ArrivalTimes;
import io.plog.measure.load.LoadMode;
import io.plog.measure.load.LoadPlan;
import io.plog.measure.load.Mix;
import io.plog.stats.text.Nearest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The options of {@code plog measure} that make a load of it. */
final class LoadOptions {
    /** Options of the grid that say nothing about a load. */
    private static final Set<String> GRID_ONLY =
            Set.of("--plan", "--sizes", "--iterations", "--trials", "--warmup", "--blocks", "--paper", "--resume");

    private static final Set<String> LOAD_ONLY = Set.of(
            "--outstanding",
            "--arrivals",
            "--requests-per-connection",
            "--mix",
            "--workload",
            "--warm-up",
            "--duration",
            "--requests",
            "--max-outstanding",
            "--workers",
            "--coordinate");

    private static final Set<String> WITH_JOIN = Set.of("--join", "--server", "--out", "--config");

    /** Shares of logged requests, as YCSB's workloads A, B and C have updates. */
    private static final Map<String, Double> WORKLOADS =
            Map.of("update-heavy", 0.5, "read-heavy", 0.05, "read-only", 0.0);

    private static final List<String> WORKLOAD_NAMES = List.of("update-heavy", "read-heavy", "read-only");

    @Option(
            names = "--load",
            paramLabel = "MODE",
            description = "A load instead of the grid: closed (each connection keeps --outstanding under way), open (at"
                    + " --rate, whatever comes back), or partly-open (at --rate, one after the other on a connection, which"
                    + " is made anew after --requests-per-connection).")
    private @Nullable String load;

    @Option(
            names = "--outstanding",
            paramLabel = "M",
            description = "Load: requests that each connection of a closed loop keeps under way; default 1.")
    private @Nullable Integer outstanding;

    @Option(names = "--arrivals", paramLabel = "WORD", description = "Load: constant (default) or poisson.")
    private @Nullable String arrivals;

    @Option(
            names = "--requests-per-connection",
            paramLabel = "R",
            description =
                    "Load: after how many requests a connection is closed and made anew: partly-open (default 5, as in the study),"
                            + " and closed with one outstanding (default never).")
    private @Nullable Integer requestsPerConnection;

    @Option(
            names = "--mix",
            paramLabel = "MIX",
            description = "Load: sizes with weights, as 100=25,1k=25,2k-9k=50, or study; default 100.")
    private @Nullable String mix;

    @Option(
            names = "--workload",
            paramLabel = "WORD",
            description =
                    "Load: share of the requests that are logged: update-heavy (50%%), read-heavy (5%%), read-only"
                            + " (0%%) or NN%%; default 100%%.")
    private @Nullable String workload;

    @Option(names = "--warm-up", paramLabel = "TIME", description = "Load: before counting begins; default 5s.")
    private @Nullable String warmUp;

    @Option(names = "--duration", paramLabel = "TIME", description = "Load: for how long to count; default 60s.")
    private @Nullable String duration;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "Load: how many to count in a closed loop, instead of --duration.")
    private @Nullable Long requests;

    @Option(
            names = "--max-outstanding",
            paramLabel = "N",
            description = "Load: requests without reply at which the run is given up as not sustained; default 100000.")
    private @Nullable Integer maxOutstanding;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Load: share it among N processes that join; needs --coordinate.")
    private @Nullable Integer workers;

    @Option(
            names = "--coordinate",
            paramLabel = "[HOST:]PORT",
            description = "Load: where workers join; loopback unless a host is said.")
    private @Nullable String coordinate;

    @Option(
            names = "--join",
            paramLabel = "HOST:PORT",
            description = "Take part in a load that another plog measure coordinates; it says everything else.")
    private @Nullable String join;

    /** The seed if none is said, the same whenever this is asked for a plan. */
    private final long drawnSeed = new SecureRandom().nextInt(Integer.MAX_VALUE);

    /** Whether a load is asked for. */
    boolean isLoad() {
        return load != null;
    }

    @Nullable
    String join() {
        return join;
    }

    @Nullable
    String coordinate() {
        return coordinate;
    }

    int workers() {
        return workers == null ? 1 : workers;
    }

    /**
     * Checks that the options given go together.
     *
     * @throws IllegalArgumentException if they do not
     */
    void check(List<OptionSpec> given) {
        for (OptionSpec option : given) {
            String name = option.longestName();
            if (join != null && !WITH_JOIN.contains(name)) {
                throw new IllegalArgumentException("--join takes part in the coordinator's load, so " + name
                        + " is the coordinator's to say: expected only "
                        + String.join(", ", WITH_JOIN.stream().sorted().toList()));
            }
            if (!isLoad() && LOAD_ONLY.contains(name)) {
                throw new IllegalArgumentException(
                        name + " is for a load: say --load closed, open or partly-open, too");
            }
            if (isLoad() && GRID_ONLY.contains(name)) {
                throw new IllegalArgumentException(name + " is for the grid of targets and sizes, not for --load"
                        + switch (name) {
                            case "--sizes" -> "; say --mix";
                            case "--iterations" -> "; say --duration, or --requests in a closed loop";
                            case "--warmup" -> "; say --warm-up TIME";
                            default -> "";
                        });
            }
        }
        if (isLoad() && (workers == null) != (coordinate == null)) {
            throw new IllegalArgumentException(
                    "--workers N and --coordinate PORT belong together: expected both or neither");
        }
        if (workers != null && (workers < 1 || workers > 1_000)) {
            throw new IllegalArgumentException("--workers is " + workers + ": expected 1 to 1000");
        }
    }

    /**
     * The load that is asked for, on one target.
     *
     * @param shared {@code --connections}, {@code --rate} and {@code --seed}
     * @throws IllegalArgumentException if a value is wrong or does not go with the others
     */
    LoadPlan plan(HostPort server, String target, PlanFile shared) {
        LoadMode mode = LoadMode.of(Objects.requireNonNull(load));
        ArrivalTimes.Kind kind = arrivals == null ? ArrivalTimes.Kind.CONSTANT : ArrivalTimes.Kind.of(arrivals);
        int connections = PlanOptions.count("connections", shared.connections(), 1);
        LoadPlan.Builder builder = LoadPlan.builder(server.host(), server.port(), target);
        double rate = rate(mode, shared.rate());
        switch (mode) {
            case CLOSED ->
                builder.closed(connections, outstanding == null ? 1 : outstanding)
                        .requestsPerConnection(requestsPerConnection == null ? 0 : requestsPerConnection);
            case OPEN -> builder.open(connections, rate, kind);
            case PARTLY_OPEN ->
                builder.partlyOpen(connections, requestsPerConnection == null ? 5 : requestsPerConnection, rate, kind);
        }
        onlyFor("--outstanding", outstanding, mode, mode == LoadMode.CLOSED);
        onlyFor("--requests-per-connection", requestsPerConnection, mode, mode != LoadMode.OPEN);
        onlyFor("--arrivals", arrivals, mode, mode.isScheduled());
        onlyFor("--rate", shared.rate(), mode, mode.isScheduled());
        onlyFor("--requests", requests, mode, mode == LoadMode.CLOSED);
        builder.mix(mix == null ? Mix.only(100) : Mix.parse(mix))
                .loggedShare(share(workload))
                .warmUp(time("--warm-up", warmUp, LoadPlan.DEFAULT_WARM_UP))
                .mostOutstanding(maxOutstanding == null ? LoadPlan.DEFAULT_MOST_OUTSTANDING : maxOutstanding)
                .seed(shared.seed() != null ? shared.seed() : drawnSeed);
        if (requests == null) {
            builder.duration(time("--duration", duration, LoadPlan.DEFAULT_DURATION));
        } else if (duration != null) {
            throw new IllegalArgumentException("--requests and --duration exclude each other: expected one of them");
        } else {
            if (requests < 1) {
                throw new IllegalArgumentException("--requests is " + requests + ": expected at least 1");
            }
            builder.requests(requests);
        }
        LoadPlan plan = builder.build();
        return plan.toBuilder().command(command(server, plan)).build();
    }

    private static double rate(LoadMode mode, @Nullable Double rate) {
        if (rate == null && mode.isScheduled()) {
            throw new IllegalArgumentException(
                    "--load " + mode.label() + " needs --rate R: how many requests a second are to be sent");
        }
        return rate == null ? 0 : rate;
    }

    private static void onlyFor(String option, @Nullable Object value, LoadMode mode, boolean allowed) {
        if (value != null && !allowed) {
            throw new IllegalArgumentException(
                    option + " says nothing about --load " + mode.label() + ": leave it out, or choose another mode");
        }
    }

    private static Duration time(String option, @Nullable String text, Duration otherwise) {
        return text == null ? otherwise : TimeSpan.parse(option, text);
    }

    /** The share of logged requests that a word or a percentage says. */
    static double share(@Nullable String workload) {
        if (workload == null) {
            return 1;
        }
        Double named = WORKLOADS.get(workload);
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
                + Nearest.to(workload, WORKLOAD_NAMES)
                        .map(near -> " (did you mean '" + near + "'?)")
                        .orElse("")
                + ": expected " + String.join(", ", WORKLOAD_NAMES)
                + ", or the share of logged requests from 0% to 100%");
    }

    private static String command(HostPort server, LoadPlan plan) {
        StringBuilder line = new StringBuilder("plog measure --server " + server + " --load "
                + plan.mode().label() + " --targets " + plan.target() + " --connections " + plan.connections());
        if (plan.mode() == LoadMode.CLOSED) {
            line.append(" --outstanding ").append(plan.outstanding());
        } else {
            line.append(" --rate ").append(plan.ratePerSecond());
            line.append(" --arrivals ").append(plan.arrivals().label());
        }
        if (plan.requestsPerConnection() > 0) {
            line.append(" --requests-per-connection ").append(plan.requestsPerConnection());
        }
        line.append(" --mix ").append(plan.mix().label());
        if (plan.hasReadOnly()) {
            line.append(" --workload ").append(plan.loggedShare() * 100).append('%');
        }
        line.append(" --warm-up ").append(plan.warmUp().toMillis()).append("ms");
        line.append(
                plan.requests() > 0
                        ? " --requests " + plan.requests()
                        : " --duration " + plan.duration().toMillis() + "ms");
        if (plan.mostOutstanding() != LoadPlan.DEFAULT_MOST_OUTSTANDING) {
            line.append(" --max-outstanding ").append(plan.mostOutstanding());
        }
        return line.append(" --seed ").append(plan.seed()).toString();
    }
}
