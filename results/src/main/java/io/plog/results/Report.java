package io.plog.results;

import io.plog.results.cells.SampleSource;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsJson;
import java.io.IOException;

/**
 * Turns the samples of a run into {@code results.json}. Every figure in it, on the page and in {@link TerminalSummary} is computed
 * here, from the samples and from nothing else.
 *
 * <p>Stateless; safe for any thread.
 */
public final class Report {
    /** Names of what is written into a results directory. */
    public static final String RESULTS_FILE = "results.json";

    /** The report for people. */
    public static final String HTML_FILE = "report.html";

    /** The result of comparing the run with another. */
    public static final String COMPARISON_FILE = "comparison.json";

    private Report() {}

    /**
     * Computes the results and writes nothing.
     *
     * @param source the run's samples
     * @throws IOException if they can't be read
     */
    public static Results compute(SampleSource source) throws IOException {
        return Analysis.of(source).results();
    }

    /** The text of {@code results.json}, a line's end at its end. */
    public static String json(Results results) {
        return ResultsJson.pretty(results);
    }
}
