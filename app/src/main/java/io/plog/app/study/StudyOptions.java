package io.plog.app.study;

import io.plog.log.Force;
import io.plog.measure.load.ArrivalTimes;
import io.plog.measure.load.Mix;
import io.plog.measure.study.StudyPlan;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a study is to measure, as options say it. Set by picocli; for one thread. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class StudyOptions {
    private static final int REQUESTS_ON_EACH = 5;

    @Option(
            names = "--designs",
            paramLabel = "LIST",
            split = ",",
            description = "Server designs, as plog server --design takes them; default"
                    + " dedicated,inline,threads=150,threads=300,threads-shared=150.")
    private @Nullable List<String> designs;

    @Option(
            names = "--event-loops",
            paramLabel = "LIST",
            split = ",",
            description = "Numbers of event loops of dedicated and inline; default 1, with --full 1,4.")
    private @Nullable List<Integer> eventLoops;

    @Option(
            names = "--force",
            paramLabel = "MODE",
            defaultValue = "fdatasync",
            description = "Way of forcing (${DEFAULT-VALUE}).")
    private String force;

    @Option(
            names = "--mix",
            paramLabel = "MIX",
            defaultValue = Mix.STUDY,
            description = "Sizes with weights, as 100=25,1k=75, or study (${DEFAULT-VALUE}).")
    private String mix;

    @Option(
            names = "--loads",
            paramLabel = "LIST",
            split = ",",
            description =
                    "Shares of each design's own capacity; default 0.5,0.95, with --full 0.2,0.4,0.6,0.8,0.9,0.95.")
    private @Nullable List<Double> loads;

    @Option(
            names = "--rates",
            paramLabel = "LIST",
            split = ",",
            description =
                    "Requests a second for all designs alike; default 0.5 and 0.9 of the slowest design's capacity.")
    private @Nullable List<Double> rates;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description =
                    "At once; a design with fewer threads gets as many as it has threads. Default 300, with --full 1020.")
    private @Nullable Integer connections;

    @Option(
            names = "--requests-per-connection",
            paramLabel = "R",
            description =
                    "After how many a connection is made anew, at infinite demand too; default 5, as in the study; 0 for never.")
    private @Nullable Integer requestsPerConnection;

    @Option(
            names = "--arrivals",
            paramLabel = "WORD",
            defaultValue = "poisson",
            description = "poisson or constant (${DEFAULT-VALUE}).")
    private String arrivals;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "How long each cell counts; default 2.5, with --full 10.")
    private @Nullable Double seconds;

    @Option(names = "--trials", paramLabel = "N", description = "Repetitions of each cell; default 1, with --full 5.")
    private @Nullable Integer trials;

    @Option(
            names = "--processors",
            paramLabel = "LIST",
            split = ",",
            description = "Also limits each server to so many processors' worth of time, step by step, as 0.5,1,2"
                    + " (control groups; takes root).")
    private @Nullable List<Double> processors;

    @Option(
            names = "--full",
            description = "The study's loads and connections, single sizes, more trials, longer; takes hours.")
    private boolean full;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Decides order, arrivals, sizes and payloads; default random.")
    private @Nullable Long seed;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /**
     * The plan.
     *
     * @throws IllegalArgumentException if a value is out of its range or does not go with the others
     */
    StudyPlan plan() {
        StudyDefaults defaults = full ? StudyDefaults.FULL : StudyDefaults.SHORT;
        long drawn = seed != null ? seed : new SecureRandom().nextInt(Integer.MAX_VALUE);
        List<String> named = designs != null ? designs : StudyDefaults.DESIGNS;
        List<Integer> loops = eventLoops != null ? eventLoops : defaults.eventLoops();
        double counted = seconds != null ? seconds : defaults.duration().toMillis() / 1e3;
        if (!(counted >= 0.1) || counted > 3600) {
            throw new IllegalArgumentException("--seconds is " + counted + ": expected 0.1 to 3600");
        }
        Duration duration = Duration.ofMillis(Math.round(counted * 1e3));
        Duration warmUp = duration.compareTo(defaults.warmUp()) < 0 ? duration : defaults.warmUp();
        Force way = Force.ofLabel(force);
        if (way == Force.OFF) {
            throw new IllegalArgumentException("--force is off: a study is about the force, expected another way");
        }
        return new StudyPlan(
                command(drawn),
                StudyDefaults.designs(named, loops),
                way.label(),
                Mix.parse(mix),
                connections != null ? connections : defaults.connections(),
                requestsPerConnection != null ? requestsPerConnection : REQUESTS_ON_EACH,
                ArrivalTimes.Kind.of(arrivals),
                loads != null ? loads : defaults.relativeLoads(),
                rates != null ? rates : List.of(),
                trials != null ? trials : defaults.trials(),
                warmUp,
                duration,
                defaults.singleSizesBytes(),
                full,
                processors != null ? processors : List.of(),
                drawn);
    }

    /** As it was typed, with the seed. */
    private String command(long drawn) {
        String typed = spec.commandLine().getParseResult().originalArgs().stream()
                .filter(word -> !word.equals("--dry-run"))
                .collect(Collectors.joining(" "));
        String begin = typed.startsWith("study") ? "plog " + typed : "plog study " + typed;
        return seed != null ? begin : begin.stripTrailing() + " --seed " + drawn;
    }
}
