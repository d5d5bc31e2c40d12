package io.plog.protocol;

/**
 * Text from a peer that is safe to show. On a terminal, control characters could overwrite other text, and marks of direction
 * could reorder it. Every text that is decoded from a frame passes through this class.
 */
public final class Printable {
    /** Stands for each character that is not shown. */
    private static final char REPLACEMENT = '\uFFFD';

    private Printable() {}

    /**
     * The text in the same length, with U+FFFD for each control character (line ends, too), mark of direction, separator of
     * lines, and half of a pair. The same object if there is none. To apply it again changes nothing.
     */
    public static String of(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (!isShown(text, at)) {
                return replaced(text, at);
            }
        }
        return text;
    }

    private static String replaced(String text, int from) {
        StringBuilder shown = new StringBuilder(text);
        for (int at = from; at < text.length(); at++) {
            if (!isShown(text, at)) {
                shown.setCharAt(at, REPLACEMENT);
            }
        }
        return shown.toString();
    }

    private static boolean isShown(String text, int at) {
        char character = text.charAt(at);
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SURROGATE -> isPaired(text, at);
            default -> true;
        };
    }

    private static boolean isPaired(String text, int at) {
        if (Character.isHighSurrogate(text.charAt(at))) {
            return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
        }
        return at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }
}
