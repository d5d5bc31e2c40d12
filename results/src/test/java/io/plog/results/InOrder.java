package io.plog.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Holds that a page has some texts one behind the other. AssertJ's {@code containsSubsequence} says the same, but copies the
 * rest of the text for each character of it: a page of half a megabyte took it 14 s. Any thread.
 */
public final class InOrder {
    private InOrder() {}

    /** For {@code satisfies}: each text is there, behind the end of the one before it. */
    public static Consumer<String> inOrder(String... texts) {
        return page -> {
            int from = 0;
            for (String text : texts) {
                int at = page.indexOf(text, from);
                assertThat(at).as(placeOf(text, from, page)).isNotNegative();
                from = at + text.length();
            }
        };
    }

    /** Put together only if it is not there. */
    private static Supplier<String> placeOf(String text, int from, String page) {
        return () -> "where '" + text + "' is, behind character " + from + " of " + page;
    }
}
