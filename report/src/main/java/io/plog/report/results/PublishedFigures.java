package io.plog.report.results;

import java.util.Map;

/**
 * The figures that the book prints beside its claims: Zhao, From Traditional Fault Tolerance to Blockchain (2021), section 2.3.1.3.
 * Immutable.
 */
final class PublishedFigures {
    private static final String NONE = "no figure";

    private static final Map<String, String> PRINTED = Map.of(
            "Z1", "1000 µs at 100 kB; over 100 MB/s",
            "Z2", "100 µs",
            "Z5", "less than 10 %",
            "Z6", "10 ms at 100 kB",
            "Z7", "about 100 µs",
            "Z9", "2600 µs one way; slightly under 40 MB/s",
            "Z10", "gigabytes per second, cited");

    private PublishedFigures() {}

    /** What the book has for a claim; says so if it printed none. */
    static String of(String claim) {
        return PRINTED.getOrDefault(claim, NONE);
    }
}
