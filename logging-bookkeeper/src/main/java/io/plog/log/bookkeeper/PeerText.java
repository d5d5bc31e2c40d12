package io.plog.log.bookkeeper;

/**
 * Text that others wrote into ZooKeeper, before it comes into a message, a health page or a terminal: one line of bounded length
 * without control characters, whatever it was.
 */
final class PeerText {
    private static final int MOST_CHARACTERS = 200;

    private PeerText() {}

    /** The text with a question mark for each character that is no part of a line of text, cut to 200 characters. */
    static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints()
                .limit(MOST_CHARACTERS)
                .map(each -> isPlain(each) ? each : '?')
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /** Formats are characters that are not seen, and change how others are: directions of writing, joiners. */
    private static boolean isPlain(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
