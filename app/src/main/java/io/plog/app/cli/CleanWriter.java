package io.plog.app.cli;

import io.plog.protocol.Printable;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * What commands print. Text from files and servers may hold characters that steer a terminal: {@link Printable} takes their place, but
 * for line ends and tabs.
 */
final class CleanWriter extends FilterWriter {
    private static final String LAYOUT = "\r\n\t";

    private CleanWriter(PrintWriter to) {
        super(to);
    }

    static PrintWriter over(PrintWriter to) {
        return new PrintWriter(new CleanWriter(to), true);
    }

    @Override
    public void write(int character) throws IOException {
        write(Character.toString(character), 0, 1);
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
        write(new String(text, offset, length), 0, length);
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        StringBuilder shown = new StringBuilder(Printable.of(text.substring(offset, offset + length)));
        for (int i = 0; i < length; i++) {
            if (LAYOUT.indexOf(text.charAt(offset + i)) >= 0) {
                shown.setCharAt(i, text.charAt(offset + i));
            }
        }
        out.write(shown.toString());
    }
}
