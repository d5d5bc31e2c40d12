package io.plog.server.http;

import java.nio.charset.StandardCharsets;

/** Characters and words of HTTP/1.1 as RFC 9110, section 5.6, has them. */
final class HttpSyntax {
    private static final boolean[] TOKEN = new boolean[128];

    static {
        for (char c = '!'; c < 0x7F; c++) {
            TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
        }
    }

    private HttpSyntax() {}

    /** Where the token ends that begins at {@code from}; that is {@code from} if there is none. */
    static int tokenEnd(byte[] line, int from, int to) {
        int at = from;
        while (at < to && line[at] >= 0 && TOKEN[line[at]]) {
            at++;
        }
        return at;
    }

    static boolean isBlank(byte character) {
        return character == ' ' || character == '\t';
    }

    /** Whether these may stand in a field's value: visible characters, blanks, and bytes beyond ASCII. */
    static boolean isFieldValue(byte[] line, int from, int to) {
        for (int at = from; at < to; at++) {
            byte b = line[at];
            if ((b >= 0 && b < ' ' && b != '\t') || b == 0x7F) {
                return false;
            }
        }
        return true;
    }

    static void toLowerCase(byte[] line, int to) {
        for (int at = 0; at < to; at++) {
            if (line[at] >= 'A' && line[at] <= 'Z') {
                line[at] = (byte) (line[at] + ('a' - 'A'));
            }
        }
    }

    static boolean equals(byte[] line, int from, int to, byte[] word) {
        if (to - from != word.length) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (line[from + i] != word[i]) {
                return false;
            }
        }
        return true;
    }

    /** The same for a word whose characters stand for a byte each. */
    static boolean equals(byte[] line, int from, int to, String word) {
        if (to - from != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if ((line[from + i] & 0xFF) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    static String text(byte[] line, int from, int to) {
        return new String(line, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
