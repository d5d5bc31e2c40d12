package io.plog.results.cells;

import io.plog.measure.samples.TrialRecord.RateAnswer;
import io.plog.measure.samples.TrialRecord.SearchLoad;
import io.plog.results.model.Results.MaxRate;
import io.plog.results.model.Wording;
import io.plog.stats.Estimate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The largest rate that keeps a condition, from the loads of the search for it. Stateless. */
public final class MaxRates {
    private MaxRates() {}

    /** As far as a search over so many connections came, which had at least one load. */
    public static MaxRate of(List<SearchLoad> search, int connections) {
        List<SearchLoad> loads = search.stream()
                .sorted(Comparator.comparingDouble(SearchLoad::requestsPerSecond))
                .toList();
        double low = decided(loads, RateAnswer.KEPT, 0)
                .mapToDouble(SearchLoad::requestsPerSecond)
                .max()
                .orElse(0);
        Optional<SearchLoad> missed = decided(loads, RateAnswer.MISSED, low).findFirst();
        Double high = missed.map(SearchLoad::requestsPerSecond).orElse(null);
        String why = missed.or(() -> decided(loads, RateAnswer.CLIENT, low).findFirst())
                .or(() -> decided(loads, RateAnswer.UNDECIDED, low).findFirst())
                .map(load -> "; at " + Wording.perSecond(load.requestsPerSecond()) + ": " + load.why()
                        + (load.answer() == RateAnswer.CLIENT ? " So the client was the limit, not the server." : ""))
                .orElse("");
        String condition =
                loads.get(0).condition() + " over " + connections + (connections == 1 ? " connection" : " connections");
        boolean isLowest = missed.isPresent()
                && missed.equals(loads.stream().filter(SearchLoad::confirming).findFirst());
        String sentence = low == 0
                ? (isLowest ? "No rate keeps " : "No rate was confirmed to keep ") + condition
                : high == null
                        ? "At least " + Wording.perSecond(low) + " requests/s keep " + condition
                        : Wording.perSecond(low) + " requests/s is the largest rate that keeps " + condition
                                + " (95 % interval " + Wording.perSecond(low) + " to " + Wording.perSecond(high) + ")";
        return new MaxRate(
                loads.get(0).condition(),
                low == 0 && high == null ? null : new Estimate(low, low, high),
                sentence + why.replaceFirst("\\.$", "") + ".",
                loads);
    }

    /** What long loads decided at a larger rate. */
    private static Stream<SearchLoad> decided(List<SearchLoad> loads, RateAnswer answer, double above) {
        return loads.stream()
                .filter(load -> load.confirming() && load.answer() == answer && load.requestsPerSecond() > above);
    }
}
