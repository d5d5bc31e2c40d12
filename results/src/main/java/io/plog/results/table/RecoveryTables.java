package io.plog.results.table;

import io.plog.measure.plan.Recovery;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Recovered;
import io.plog.results.model.Results.RecoveredTrial;
import io.plog.results.model.Wording;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tables of a server that was killed and started again. Stateless. */
public final class RecoveryTables {
    private RecoveryTables() {}

    private record Row(Cell cell, Recovered all, RecoveredTrial trial) {}

    /** All of them. */
    public static List<Table> of(Results results) {
        List<Row> rows = new ArrayList<>();
        for (Cell cell : results.cells()) {
            Recovered all = cell.recovered();
            if (all != null) {
                all.trials().forEach(trial -> rows.add(new Row(cell, all, trial)));
            }
        }
        return List.of(TableOf.each(rows, "recovery", 2)
                .column(Recovery.CHECKPOINT, row -> row.cell.dimension(Recovery.CHECKPOINT))
                .column("requests:count", row -> row.all.requests())
                .column("trial:count", row -> row.trial.trial() + 1L)
                .column("requests a second:count", row -> row.all.filledPerSecond())
                .column("in the log:count", row -> row.trial.inLog())
                .column("replayed:count", row -> row.trial.replayed())
                .column("start:ms", row -> row.trial.startMillis())
                .column("open:ms", row -> row.trial.openMillis())
                .column("replay:ms", row -> row.trial.replayMillis())
                .column("first answer:ms", row -> row.trial.firstAnswerMillis())
                .column("discarded:count", row -> row.trial.discarded())
                .table());
    }

    /** What the kills of a cell showed, in a sentence; null if there is none. */
    public static @Nullable String sentence(Cell cell) {
        Recovered all = cell.recovered();
        return all == null
                ? null
                : Units.count(all.requests()) + " requests, checkpoint "
                        + cell.dimension(Recovery.CHECKPOINT) + ": first answer " + millis(all.firstAnswerMillis())
                        + ", start " + millis(all.startMillis()) + ", open " + millis(all.openMillis())
                        + ", replay " + millis(all.replayMillis());
    }

    private static String millis(Estimate time) {
        return Wording.of(time) + " ms";
    }
}
