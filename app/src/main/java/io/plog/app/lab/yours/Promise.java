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
}
