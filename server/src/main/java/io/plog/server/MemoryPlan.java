package io.plog.server;

import io.plog.server.options.MemoryOptions;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.state.MemoryBounds;
import java.util.Locale;

/**
 * How the heap for remembered answers is divided: among the targets that log in equal parts, and of each part first what its
 * clients take when there are as many as may be, without an answer. The rest is for answers.
 *
 * @param heapBytes that the process may have
 * @param bytes for all targets together
 * @param targets that log
 * @param clients that each of them remembers
 * @param options the rest
 */
public record MemoryPlan(long heapBytes, long bytes, int targets, int clients, MemoryOptions options) {
    /** Of the heap, by default: a checkpoint that is being saved takes as much again for a moment. */
    private static final int SHARE = 4;

    private static final long LEAST_ANSWER_BYTES = 256 << 10;

    /** More would only make checkpoints larger. */
    private static final long MOST_ANSWER_BYTES = 64L << 20;

    /** The plan for a server, refused if its process cannot remember as much as it is to. */
    public static MemoryPlan of(ServerOptions options, long heapBytes) {
        int logged =
                (int) options.targets().stream().filter(TargetOptions::isLogged).count();
        long bytes = options.memory().bytes() == 0
                ? heapBytes / SHARE
                : options.memory().bytes();
        MemoryPlan plan = new MemoryPlan(heapBytes, bytes, logged, clients(options), options.memory());
        plan.check();
        return plan;
    }

    private static int clients(ServerOptions options) {
        long bytes = options.memory().clientBytes();
        if (bytes == 0) {
            return Math.max(MemoryOptions.LEAST_CLIENTS, 2 * options.maxConnections());
        }
        long clients = Math.min(Integer.MAX_VALUE, bytes / MemoryOptions.BYTES_OF_A_CLIENT);
        if (clients < options.maxConnections()) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "%s of heap for clients hold %,d of them, but %,d connections may be open, and a client that is"
                            + " forgotten while it is connected is new again: expected --client-memory of at least %s, or"
                            + " fewer --max-connections",
                    mebibytes(bytes),
                    clients,
                    options.maxConnections(),
                    leastMebibytes((long) MemoryOptions.BYTES_OF_A_CLIENT * options.maxConnections())));
        }
        return (int) clients;
    }

    private void check() {
        long needed = targets * (fixedBytes() + LEAST_ANSWER_BYTES);
        if (bytes > heapBytes) {
            throw new IllegalArgumentException("memory is " + mebibytes(bytes) + ", but the heap is "
                    + mebibytes(heapBytes) + ": expected less, or a larger heap (-Xmx)");
        }
        if (needed > bytes) {
            throw new IllegalArgumentException("of " + eachTarget() + " " + counts()
                    + " are to be remembered, which takes " + leastMebibytes(needed) + " of heap, but "
                    + mebibytes(bytes)
                    + (options.bytes() == 0
                            ? " of it are for that, a quarter of " + mebibytes(heapBytes)
                            : " are given")
                    + ": give the process a larger heap (-Xmx), more of it for this (--memory), less"
                    + " --client-memory or fewer targets");
        }
    }

    /** What clients take without answers, at most. */
    private long fixedBytes() {
        return (long) MemoryOptions.BYTES_OF_A_CLIENT * clients;
    }

    /** The bounds of each target that logs; of one that does not they mean nothing. */
    public MemoryBounds bounds() {
        long answers = Math.max(LEAST_ANSWER_BYTES, bytes / Math.max(1, targets) - fixedBytes());
        return new MemoryBounds(
                MemoryBounds.WINDOW,
                clients,
                MemoryBounds.CLIENT_BYTES,
                Math.min(MOST_ANSWER_BYTES, answers),
                options.leastTime().toNanos());
    }

    /** For the start: how much it is, of what, and what it is for; "" if nothing is logged. */
    String sentence() {
        return targets == 0
                ? ""
                : "remembers answers in at most " + mebibytes(bytes) + " of its heap of " + mebibytes(heapBytes)
                        + ": of " + eachTarget() + " " + counts() + " and their last answers";
    }

    private String eachTarget() {
        return targets == 1 ? "the logged target" : "each of the " + targets + " logged targets";
    }

    private String counts() {
        return String.format(Locale.ROOT, "%,d clients", clients);
    }

    /** Rounded down, so that less than what is needed never looks like it. */
    private static String mebibytes(long bytes) {
        return tenths(Math.floor(bytes * 10.0 / (1 << 20)));
    }

    /** Rounded up. */
    private static String leastMebibytes(long bytes) {
        return tenths(Math.ceil(bytes * 10.0 / (1 << 20)));
    }

    private static String tenths(double mebibytes) {
        return String.format(Locale.ROOT, "%,.1f MiB", mebibytes / 10);
    }
}
