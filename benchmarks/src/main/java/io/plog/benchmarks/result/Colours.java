package io.plog.benchmarks.result;

import java.util.List;

/** A colour for each kind of contestant, and for the curves of several. All can be told apart on light and dark pages. */
final class Colours {
    private static final List<String> CURVES =
            List.of("#2f86d6", "#e07b1f", "#2e9e5b", "#b05cc4", "#c9473f", "#12a3a8", "#a08030");

    private Colours() {}

    static String ofKind(String kind) {
        return switch (kind) {
            case "PLOG" -> "#2f86d6";
            case "PLAIN" -> "#e07b1f";
            case "LIMIT" -> "#7d7d7d";
            default -> "#8f9f4f";
        };
    }

    static String ofCurve(int number) {
        return CURVES.get(number % CURVES.size());
    }
}
