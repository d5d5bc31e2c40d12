package io.plog.app.measure;

import io.plog.measure.KeptAwake;
import io.plog.measure.MeasureGrid;
import io.plog.measure.MeasurePlan;
import io.plog.measure.ProgressListener;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Trial;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The order that a trial's process reads from its standard input, and the lines that it prints to its standard output: JSON, one
 * object to a line. Plain data in both directions; both sides are of the same program file.
 */
record TrialOrder(
        String host,
        int port,
        MeasureGrid grid,
        @Nullable Ledger ledger,
        String command,
        int trial,
        List<Done> done,
        String samples,
        KeptAwake awake) {

    /** The ledger's options. */
    record Ledger(String file, boolean forceEach, long forceMillis) {}

    /** A turn that was measured before the run was interrupted. */
    record Done(int block, int targetId, int payloadBytes) {}

    /** A line that the process prints: progress; as the last line how the trial ended, or why it could not begin. */
    record Line(
            @Nullable Seen progress,
            RunInfo.@Nullable End end,
            @Nullable String refused,
            @Nullable String failed) {}

    /** {@link ProgressListener.Progress} as JSON. */
    record Seen(
            boolean warmup,
            long done,
            long total,
            double perSecond,
            long leftMillis,
            String target,
            int payloadBytes,
            int block,
            int blocks) {

        static Seen of(ProgressListener.Progress progress) {
            return new Seen(
                    progress.warmup(),
                    progress.done(),
                    progress.total(),
                    progress.perSecond(),
                    progress.left().toMillis(),
                    progress.target(),
                    progress.payloadBytes(),
                    progress.block(),
                    progress.blocks());
        }

        ProgressListener.Progress progress() {
            return new ProgressListener.Progress(
                    warmup,
                    done,
                    total,
                    perSecond,
                    Duration.ofMillis(leftMillis),
                    target,
                    payloadBytes,
                    block,
                    blocks,
                    1,
                    1);
        }
    }

    static TrialOrder of(MeasurePlan plan, Trial trial, Path samples) {
        LedgerOptions ledger = plan.ledger();
        return new TrialOrder(
                plan.host(),
                plan.port(),
                plan.grid(),
                ledger == null
                        ? null
                        : new Ledger(
                                ledger.file().toAbsolutePath().toString(),
                                ledger.forceEach(),
                                ledger.forceInterval().toMillis()),
                plan.command(),
                trial.number(),
                trial.done().stream()
                        .map(turn -> new Done(
                                turn.block(),
                                turn.cell().targetId(),
                                turn.cell().payloadBytes()))
                        .toList(),
                samples.toAbsolutePath().toString(),
                plan.awake());
    }

    MeasurePlan plan() {
        return new MeasurePlan(
                host,
                port,
                grid,
                ledger == null
                        ? null
                        : new LedgerOptions(
                                Path.of(ledger.file), ledger.forceEach, Duration.ofMillis(ledger.forceMillis)),
                command,
                awake);
    }

    Trial whichTrial() {
        Set<Trial.Turn> turns = new HashSet<>();
        done.forEach(turn -> turns.add(new Trial.Turn(turn.block, new CellKey(turn.targetId, turn.payloadBytes))));
        return new Trial(trial, turns);
    }
}
