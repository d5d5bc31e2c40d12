package io.plog.e2e.support;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** The words of a command line that a test writes as its user would type it. */
public final class Words {
    private Words() {}

    /**
     * The words between the blanks of this line, in which each {@code %s} stands for the next value. A value stays in its word,
     * whatever is in it; a list that is a word by itself stands for all its words.
     *
     * @throws IllegalArgumentException if there are more or fewer values than {@code %s}
     */
    public static List<String> of(String line, Object... values) {
        List<String> words = new ArrayList<>();
        Iterator<Object> next = Arrays.asList(values).iterator();
        for (String word : line.split(" ", -1)) {
            if (word.isEmpty()) {
                continue;
            }
            String[] parts = word.split("%s", -1);
            StringBuilder filled = new StringBuilder(parts[0]);
            Object value = "";
            for (int i = 1; i < parts.length; i++) {
                if (!next.hasNext()) {
                    throw new IllegalArgumentException("more %s than values: " + line);
                }
                value = next.next();
                filled.append(value).append(parts[i]);
            }
            if (word.equals("%s") && value instanceof List<?> several) {
                several.forEach(each -> words.add(each.toString()));
            } else {
                words.add(filled.toString());
            }
        }
        if (next.hasNext()) {
            throw new IllegalArgumentException("more values than %s: " + line);
        }
        return words;
    }
}
