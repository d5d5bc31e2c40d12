package io.plog.app.measure;

import io.plog.app.cli.PlanOptions;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Warmup;
import io.plog.stats.text.ByteSize;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what to measure, the same for {@code measure} and {@code demo}. */
public final class GridOptions extends PlanOptions {
    @Option(
            names = "--sizes",
            paramLabel = "SIZES",
            split = ",",
            defaultValue = "100,1k,10k,50k,100k",
            description = "Payload sizes, as 100,1k,64KiB (k is 1000, Ki 1024). Default: ${DEFAULT-VALUE}.")
    private List<String> sizes;

    @Option(
            names = {"-n", "--iterations"},
            paramLabel = "N",
            description =
                    "Requests that each cell (a size and a target) counts, over all trials. Default: 2000, or fewer"
                            + " where a demo would take too long; with --paper 100000.")
    private @Nullable Long iterations;

    @Option(
            names = "--trials",
            paramLabel = "N",
            description = "Number of trials, each with new processes. Default: 5.")
    private @Nullable Integer trials;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            description =
                    "Requests of each cell before counting, in each trial: a number; or auto:N, which ends when every"
                            + " cell is steady and the just-in-time compilers rest, and after N requests or N times 60 ms at the"
                            + " latest. Default: auto:400, with --paper auto:10000.")
    private @Nullable String warmup;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "Number of randomised blocks that each cell is divided into within a trial. Default: 10.")
    private @Nullable Integer blocks;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Connections, each with one request outstanding. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = {"-r", "--rate"},
            paramLabel = "R",
            description = "Requests a second over all connections. Default: as fast as replies come.")
    private double rate;

    @Option(names = "--paper", description = "As in the published study: 100000 counted requests of each cell.")
    private boolean paper;

    /** How many requests of each cell are counted: what is said, or what is usual where {@code --paper} is not given. */
    public long iterations(long usual) {
        return iterations != null ? iterations : paper ? Grid.PAPER_ITERATIONS : usual;
    }

    /**
     * The checked plan, with every default filled in.
     *
     * @param usual counted requests of each cell unless it is said, or {@code --paper}
     * @param usualWarmup warm-up unless it is said, or {@code --paper}
     * @throws IllegalArgumentException if a value is out of its range
     */
    public Grid plan(
            String server,
            List<String> targets,
            List<String> force,
            List<String> logDir,
            long usual,
            Warmup usualWarmup) {
        long counted = iterations(usual);
        long inTrials = trials != null
                ? trials
                : Math.max(1, Math.min(Grid.DEFAULT.trials(), counted / Math.max(1, blocks == null ? 1 : blocks)));
        long inBlocks =
                blocks != null ? blocks : Math.max(1, Math.min(Grid.DEFAULT.blocks(), counted / Math.max(1, inTrials)));
        Warmup usually = paper ? Warmup.untilSteady(Warmup.PAPER_MOST) : usualWarmup;
        return new Grid(
                        server,
                        force,
                        logDir,
                        sizes.stream().map(ByteSize::parseInt).toList(),
                        targets,
                        counted,
                        (int) inTrials,
                        warmup == null || warmup.equals(Warmup.AUTO) ? usually : Warmup.parse(warmup),
                        (int) inBlocks,
                        connections,
                        rate,
                        seed())
                .checked();
    }

    /** What a plan of these options says, every default filled in. */
    public Map<String, Object> values(Grid plan) {
        Map<String, Object> values = values();
        values.keySet().removeAll(List.of("--paper", "--replicated", "--disks", "--rate"));
        values.put("--server", plan.server());
        values.put("--targets", plan.targets());
        values.put("--force", plan.force());
        values.put("--log-dir", plan.logDir());
        values.put("--iterations", plan.iterations());
        values.put("--trials", plan.trials());
        values.put("--warmup", plan.warmup().label());
        values.put("--blocks", plan.blocks());
        if (plan.ratePerSecond() > 0) {
            values.put("--rate", plan.ratePerSecond());
        }
        values.values().removeAll(List.of("", List.of()));
        return values;
    }
}
