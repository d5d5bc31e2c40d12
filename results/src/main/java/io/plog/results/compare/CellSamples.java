package io.plog.results.compare;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Replicates;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** The counted latencies of one cell by trial and block, in nanoseconds. */
final class CellSamples {
    /** Trial, then block, then the latencies in the order of time. */
    private final Map<Long, Map<Long, long[]>> trials;

    private CellSamples(Map<Long, Map<Long, long[]>> trials) {
        this.trials = trials;
    }

    static CellSamples of(Samples samples, Measure measure) {
        Map<Long, Map<Long, LongStream.Builder>> building = new TreeMap<>();
        for (int i = 0; i < samples.count(); i++) {
            if (samples.isCounted(i)) {
                building.computeIfAbsent(samples.get(Column.TRIAL, i), trial -> new TreeMap<>())
                        .computeIfAbsent(samples.get(Column.BLOCK, i), block -> LongStream.builder())
                        .add(measure.nanos(samples, i));
            }
        }
        Map<Long, Map<Long, long[]>> trials = new TreeMap<>();
        building.forEach((trial, blocks) -> {
            Map<Long, long[]> built = new TreeMap<>();
            blocks.forEach((block, values) -> built.put(block, values.build().toArray()));
            trials.put(trial, built);
        });
        return new CellSamples(trials);
    }

    /** All of them; empty if nothing counts. */
    Optional<Replicates> replicates() {
        if (trials.isEmpty()) {
            return Optional.empty();
        }
        List<List<long[]>> all = new ArrayList<>();
        trials.values().forEach(blocks -> all.add(List.copyOf(blocks.values())));
        return Optional.of(Replicates.of(all));
    }

    /** Only those of blocks that the other has, too: of blocks that are partners. */
    CellSamples sharedWith(CellSamples other) {
        Map<Long, Map<Long, long[]>> shared = new TreeMap<>();
        trials.forEach((trial, blocks) -> {
            Map<Long, long[]> kept = new TreeMap<>(blocks);
            kept.keySet().retainAll(other.trials.getOrDefault(trial, Map.of()).keySet());
            if (!kept.isEmpty()) {
                shared.put(trial, kept);
            }
        });
        return new CellSamples(shared);
    }

    /** How many trials have samples that count. */
    int trials() {
        return trials.size();
    }
}
