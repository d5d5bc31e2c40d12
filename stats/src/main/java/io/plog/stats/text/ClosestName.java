package io.plog.stats.text;

import java.util.Collection;
import java.util.Optional;

/** Finds names, and the name closest to a misspelt one. Stateless; safe for any thread. */
public final class ClosestName {
    private ClosestName() {}

    /**
     * The candidate that differs from {@code word} in the fewest characters; the first of several in the collection's
     * order. Empty if every one differs in more than half of the word's characters.
     */
    public static Optional<String> to(String word, Collection<String> candidates) {
        String best = null;
        int least = word.length() / 2 + 1;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    /** How many characters must be inserted, removed or replaced to make one of the other (Levenshtein's distance). */
    static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
