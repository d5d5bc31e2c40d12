package io.plog.results.study;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.load.LoadTally;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.study.CellOutcome;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import io.plog.results.verdict.ScheduleLag;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What disturbed a measurement from outside, so that it is worth measuring again. Only that: a repetition that depended on what
 * the server did would choose among its figures. So pauses ({@code hiccups}), which a server's own collections cause as well, and a
 * rate that was not sustained are no reason. Stateless.
 */
public final class Disturbance {
    private Disturbance() {}

    /**
     * In words; empty if nothing did.
     *
     * @throws IOException if the samples cannot be read
     */
    public static Optional<String> of(CellOutcome outcome) throws IOException {
        LoadSummary load;
        List<SideEvents> events;
        Map<String, String> client;
        try (SampleFileReader reader = SampleFileReader.open(outcome.samples())) {
            LoadTally tally = new LoadTally(reader.info().plan().load().get(0));
            for (CellKey key : reader.cells()) {
                tally.add(reader.samples(key));
            }
            load = tally.summary("", Map.of());
            events = reader.events();
            client = reader.info().client();
        }
        for (Map.Entry<String, Check> found : CellMachineChecks.of(
                        events, outcome.cell().isInfiniteDemand(), client)
                .entrySet()) {
            if (isFromOutside(found.getKey())
                    && !found.getValue().ok()
                    && found.getValue().severity() == Severity.INVALID) {
                return Optional.of(withoutMeaning(found.getValue().detail()));
            }
        }
        return ScheduleLag.of(load) == ScheduleLag.TOO_MUCH ? Optional.of("the client was too late") : Optional.empty();
    }

    /** What was found, without the part after the colon, which says what it means. */
    private static String withoutMeaning(String detail) {
        int colon = detail.indexOf(": ");
        return colon >= 0 ? detail.substring(0, colon) : detail.replaceFirst("\\.$", "");
    }

    private static boolean isFromOutside(String rule) {
        return rule.equals(CellMachineChecks.STEAL)
                || rule.equals(CellMachineChecks.OTHERS)
                || rule.startsWith(CellMachineChecks.DISK);
    }
}
