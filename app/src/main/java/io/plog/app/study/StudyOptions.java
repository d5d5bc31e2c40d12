package io.plog.app.study;

import io.plog.app.cli.PlanOptions;
import io.plog.log.storage.Force;
import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Mix;
import io.plog.stats.text.Labelled;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a study is to measure, as options say it. Set by picocli; for one thread. */
final class StudyOptions extends PlanOptions {
    private static final int REQUESTS_ON_EACH = 5;

    @Option(
            names = "--designs",
            paramLabel = "LIST",
            split = ",",
            description = "Server designs, as plog server --design takes them. Default:"
                    + " dedicated,inline,threads=150, with --full and --paper also threads=300,threads-shared=150.")
    private @Nullable List<String> designs;

    @Option(
            names = "--event-loops",
            paramLabel = "LIST",
            split = ",",
            description = "Numbers of event loops of dedicated and inline. Default: 1, with --paper 1,4.")
    private @Nullable List<Integer> eventLoops;

    @Option(
            names = "--force",
            paramLabel = "WAY",
            defaultValue = "fdatasync",
            description = "Way of forcing: write, fdatasync, fsync, dsync or direct. Default: ${DEFAULT-VALUE}.")
    private String force;

    @Option(
            names = "--mix",
            paramLabel = "MIX",
            defaultValue = Mix.STUDY,
            description = "Payload sizes with weights, as 100=25,1k=75, or study. Default: ${DEFAULT-VALUE}.")
    private String mix;

    @Option(
            names = "--loads",
            paramLabel = "LIST",
            split = ",",
            description =
                    "Loads, as shares of the rate that each design was seen to keep. Default: 0.25,0.5,0.75, with --paper"
                            + " 0.2,0.4,0.6,0.8,0.9,0.95.")
    private @Nullable List<Double> loads;

    @Option(
            names = "--rates",
            paramLabel = "LIST",
            split = ",",
            description =
                    "Loads in requests a second, the same for all designs. Default: 0.75 of what the slowest design keeps.")
    private @Nullable List<Double> rates;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            description =
                    "Connections at once; a design with fewer threads gets one for each thread. Default: 300, with --paper 1020.")
    private @Nullable Integer connections;

    @Option(
            names = "--requests-per-connection",
            paramLabel = "N",
            description =
                    "Requests after which a connection is closed and made anew, at infinite demand too. Default: 5, as in"
                            + " the study; 0 for never.")
    private @Nullable Integer requestsPerConnection;

    @Option(
            names = "--arrivals",
            paramLabel = "KIND",
            defaultValue = "poisson",
            description = "Times between requests: poisson or constant. Default: ${DEFAULT-VALUE}.")
    private String arrivals;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            description = "How long to count in each cell. Default: 2s, with --paper 10s.")
    private @Nullable Duration duration;

    @Option(
            names = "--trials",
            paramLabel = "N",
            description = "How often each cell is measured, each time on fresh servers. Default: 5.")
    private @Nullable Integer trials;

    @Option(
            names = "--processors",
            paramLabel = "LIST",
            split = ",",
            description = "Also limit each server to so many processors, one limit after the other, as 0.5,1,2; needs"
                    + " control groups and root.")
    private @Nullable List<Double> processors;

    @Option(names = "--full", description = "All five designs of the published study.")
    private boolean full;

    @Option(
            names = "--paper",
            description =
                    "As in the published study: its designs and connections, single sizes, more and longer trials; takes"
                            + " hours.")
    private boolean paper;

    /**
     * The plan.
     *
     * @throws IllegalArgumentException if a value is out of its range or does not go with the others
     */
    Designs plan() {
        StudyDefaults defaults = paper ? StudyDefaults.PAPER : StudyDefaults.SHORT;
        List<String> named =
                designs != null ? designs : full || paper ? StudyDefaults.ALL_DESIGNS : StudyDefaults.DESIGNS;
        List<Integer> loops = eventLoops != null ? eventLoops : defaults.eventLoops();
        Duration counted = duration != null ? duration.truncatedTo(ChronoUnit.MILLIS) : defaults.duration();
        Duration warmUp = counted.compareTo(defaults.warmUp()) < 0 ? counted : defaults.warmUp();
        Force way = Force.ofLabel(force);
        if (way == Force.OFF) {
            throw new IllegalArgumentException("--force is off: a study is about the force, expected another way");
        }
        return new Designs(
                StudyDefaults.designs(named, loops),
                way.label(),
                new Designs.Traffic(
                        Mix.parse(mix),
                        connections != null ? connections : defaults.connections(),
                        requestsPerConnection != null ? requestsPerConnection : REQUESTS_ON_EACH,
                        Labelled.of("arrivals", arrivals, Arrivals.values())),
                new Designs.Levels(
                        loads != null ? loads : defaults.relativeLoads(),
                        rates != null ? rates : List.of(),
                        defaults.singleSizesBytes(),
                        paper,
                        processors != null ? processors : List.of()),
                trials != null ? trials : defaults.trials(),
                warmUp.toNanos(),
                counted.toNanos(),
                seed());
    }
}
