package io.plog.app.cli;

import io.plog.protocol.Printable;
import java.io.PrintWriter;

/**
 * What commands print. Text from files and servers may hold characters that steer a terminal: {@link Printable} replaces them, but
 * for line ends and tabs.
 */
final class CleanWriter extends PrintWriter {
    CleanWriter(PrintWriter to) {
        super(to, true);
    }

    @Override
    public void write(String text, int offset, int length) {
        char[] shown = Printable.of(text.substring(offset, offset + length)).toCharArray();
        for (int i = 0; i < length; i++) {
            char each = text.charAt(offset + i);
            shown[i] = each == '\n' || each == '\r' || each == '\t' ? each : shown[i];
        }
        super.write(shown, 0, length);
    }
}
