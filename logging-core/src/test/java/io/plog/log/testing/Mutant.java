package io.plog.log.testing;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A deliberate defect: snippets of one main class, each replaced by something else.
 *
 * @param id its number, {@code M1} and so on
 * @param defect what is wrong, in a few words
 * @param file the class whose source is changed
 * @param caughtBy the test that must fail: {@code Class.method}, and behind a colon the name of one of its cases
 * @param tries how often that test may pass before the defect counts as missed
 * @param edits what is replaced by what
 */
record Mutant(String id, String defect, String file, String caughtBy, int tries, List<Edit> edits) {
    /** What is replaced, white space apart; it must occur exactly once. */
    record Edit(String snippet, String replacement) {}

    /**
     * The source with the defect.
     *
     * @throws AssertionError if a snippet is not there exactly once: then the mutant must follow the source
     */
    String applyTo(String source) {
        String changed = source;
        for (Edit edit : edits) {
            String regex = Arrays.stream(edit.snippet().trim().split("\\s+"))
                    .map(Pattern::quote)
                    .collect(Collectors.joining("\\s+"));
            Matcher matcher = Pattern.compile(regex).matcher(changed);
            long count = matcher.results().count();
            if (count != 1) {
                throw new AssertionError(id + ": found " + count + " times in " + file + ": " + edit.snippet());
            }
            changed = matcher.reset().replaceFirst(Matcher.quoteReplacement(edit.replacement()));
        }
        return changed;
    }
}
