package io.plog.log.file;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Closes several things, the last first. One that fails keeps no other from being closed; the first failure is thrown. */
public record CloseAll(List<? extends Closeable> opened) implements Closeable {
    @Override
    public void close() throws IOException {
        if (!opened.isEmpty()) {
            Closeable first = opened.get(0);
            Closeable others = new CloseAll(opened.subList(1, opened.size()));
            try (first;
                    others) {}
        }
    }
}
