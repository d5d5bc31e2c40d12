package io.plog.app.lab.yours;

import io.plog.app.cli.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What students' work has to keep: a line of {@code KIND-promises.json}.
 *
 * @param points that it is worth
 * @param may what may happen in its histories, as the judge of its kind reads it
 */
record Promise(String title, int points, Set<String> may) {
    /** @param kind {@code log}, {@code client} or {@code recovery} */
    static List<Promise> of(String kind) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(Promise.class.getResourceAsStream(kind + "-promises.json"), kind)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return List.of(JsonText.read(text, Promise[].class));
        }
    }

    /** The verdict of so many histories, of which the last broke it, if {@code why} is not empty. */
    Verdict after(int histories, String why) {
        return new Verdict(title, why.isEmpty() ? points : 0, points, why, histories, List.of());
    }

    /**
     * What a promise got.
     *
     * @param points all that it is worth, or 0
     * @param why how it was broken, or well kept
     * @param histories that were tried
     * @param picture of the shortest history that breaks it; empty if there is none
     */
    record Verdict(String promise, int points, int of, String why, int histories, List<String> picture) {
        /** Begins the reason of one that did not end. */
        static final String STUCK = "stuck";

        boolean isStuck() {
            return why.startsWith(STUCK);
        }
    }
}
