package io.plog.report.study;

import io.plog.report.study.StudyResults.Estimate;
import java.util.Locale;

/** Estimates as text for sentences. Stateless. */
final class EstimateText {
    private EstimateText() {}

    /** A figure of about three digits. */
    static String number(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }

    /** A figure with its 95 % interval; an end that the data do not bound is a question mark. */
    static String factor(Estimate estimate) {
        Double low = estimate.low();
        Double high = estimate.high();
        return low == null && high == null
                ? number(estimate.value())
                : number(estimate.value()) + " (" + (low == null ? "?" : number(low)) + " to "
                        + (high == null ? "?" : number(high)) + ")";
    }
}
