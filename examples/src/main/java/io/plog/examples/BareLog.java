package io.plog.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.plog.log.Append;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The example of the README, compiled and run: ExamplesTest holds the two together. */
final class BareLog {
    private BareLog() {}

    /** Replays the log, and logs a request; returns the state. */
    static List<String> run(Path directory) throws IOException {
        List<String> state = new ArrayList<>();
        // README begin
        try (MessageLog log = MessageLog.open(LogOptions.in(directory))) {
            // On start: apply what was acknowledged before, in order.
            try (LogReader reader = log.read(log.firstIndex())) {
                while (reader.next()) {
                    state.add(UTF_8.decode(reader.payload()).toString());
                }
            }
            // For each request, from any number of threads: append, and answer when this returns.
            String request = "debit 7";
            Append append = new Append() {
                @Override
                protected void onDurable() {
                    state.add(request); // called in the order of the log, so the next start gives the same state
                }

                @Override
                protected void onFailed(LogException cause) {
                    throw new IllegalStateException("answer that it failed, or is unknown", cause);
                }
            };
            log.appendAndWait(append, ByteBuffer.wrap(request.getBytes(UTF_8)));
        }
        // README end
        return state;
    }
}
