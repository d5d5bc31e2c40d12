package io.plog.server.options;

import io.plog.log.storage.Force;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** Where a target's log is kept, and with that, what a reply waits for. */
public sealed interface LogPlace {
    /** What a reply waits for, a word for clients, metrics and reports. */
    String forceLabel();

    boolean isLogged();

    /**
     * On this machine.
     *
     * @param paths one directory, or several over which the log is striped, in order; none only with {@link Force#OFF}, and not
     *     touched with it
     * @param force what a reply waits for; {@link Force#OFF} answers without logging
     */
    record Directories(List<Path> paths, Force force) implements LogPlace {
        /** @throws IllegalArgumentException if there is nowhere to log */
        public Directories {
            paths = List.copyOf(paths);
            if (paths.isEmpty() && force != Force.OFF) {
                throw new IllegalArgumentException(
                        "force=" + force.label() + " without a directory: expected one, or force=off");
            }
        }

        @Override
        public String forceLabel() {
            return force.label();
        }

        @Override
        public boolean isLogged() {
            return force != Force.OFF;
        }
    }

    /**
     * Wherever the log of this address is, mostly on several machines. A reply waits until enough of them have forced the record.
     *
     * @param uri for {@link io.plog.log.DurableLog#open}
     */
    record Address(URI uri) implements LogPlace {
        /** What a reply waits for there. */
        public static final String QUORUM = "quorum";

        /** The longest record that such a log takes: it travels in one message to each machine. */
        public static final int MOST_RECORD_BYTES = 4 << 20;

        @Override
        public String forceLabel() {
            return QUORUM;
        }

        @Override
        public boolean isLogged() {
            return true;
        }
    }
}
