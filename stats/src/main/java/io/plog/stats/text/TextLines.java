package io.plog.stats.text;

/** Lines for a terminal, at most {@value #WIDTH} columns wide. Stateless; safe for any thread. */
public final class TextLines {
    /** How wide a line is at most. */
    public static final int WIDTH = 100;

    private TextLines() {}

    /** The text, or its beginning and an ellipsis if it is longer than {@code width}. */
    public static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 1) + "…";
    }

    /** The text, or an ellipsis and its end: names of targets differ there. */
    public static String cutFront(String text, int width) {
        return text.length() <= width ? text : "…" + text.substring(text.length() - width + 1);
    }

    /**
     * Appends a label and a sentence, broken between words.
     *
     * @param indent by how many columns the further lines are indented
     */
    public static void wrap(StringBuilder text, String label, int indent, String sentence) {
        StringBuilder line = new StringBuilder(label);
        for (String word : sentence.split(" ", -1)) {
            if (line.length() + word.length() > WIDTH && line.length() > indent) {
                text.append(line.toString().stripTrailing()).append('\n');
                line = new StringBuilder(" ".repeat(indent));
            }
            line.append(word).append(' ');
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }
}
