package io.plog.app.server;

import io.plog.server.monitoring.ServerNotices;
import java.io.Writer;

/** Makes a notice of each line that is written, so that all that a server says has one form. */
final class NoticeWriter extends Writer {
    private final ServerNotices notices;
    private final StringBuilder line = new StringBuilder();

    NoticeWriter(ServerNotices notices) {
        this.notices = notices;
    }

    @Override
    public void write(char[] chars, int offset, int length) {
        synchronized (lock) {
            for (int i = offset; i < offset + length; i++) {
                if (chars[i] != '\n') {
                    line.append(chars[i]);
                } else if (!line.isEmpty()) {
                    notices.say(line.toString().stripTrailing());
                    line.setLength(0);
                }
            }
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
