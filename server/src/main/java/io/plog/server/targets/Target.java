package io.plog.server.targets;

import io.netty.buffer.ByteBuf;
import io.plog.host.DirectoryFacts;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.server.options.LogPlace;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.Service;
import io.plog.server.state.MemoryBounds;
import io.plog.server.state.TargetState;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One target, from the start of its server to the end, in one of these phases:
 *
 * <pre>
 *  Opening --> Serving &lt;--> StandingBy      any of them --> Closed
 * </pre>
 *
 * <p>A log or a service that has failed is a problem of the phase: that ends when the log is opened again, or never. Safe for any
 * thread.
 */
public final class Target {
    /** When a batch takes this long, the target is not ready: requests should go elsewhere. */
    private static final long STALLED_NANOS = 10_000_000_000L;

    /** What a callback waits for may be itself, and until it returns nothing is reported. */
    private static final long CALLBACK_NANOS = 1_000_000_000L;

    private final int id;
    private final TargetOptions options;
    private final int maxPayloadBytes;
    private final boolean isLogged;
    private final TargetMeters meters;
    private final ReentrantLock turn = new ReentrantLock(true);
    private volatile Phase phase;
    private volatile Map<String, String> facts;
    private volatile @Nullable DirectoryFacts directories;
    private volatile @Nullable OpeningReport opening;

    /** Opens the log of a target and makes its state again; tests put their own there. */
    @FunctionalInterface
    public interface LogOpener {
        /** The log, or {@code null} if the target does not log. */
        @Nullable
        RecordLog open(TargetOptions target, TargetState state, TargetMeters meters) throws IOException;
    }

    /** What a target is for some time. A request keeps to the phase that it came in. Immutable. */
    public sealed interface Phase {
        Target target();

        /** What executes its requests, or refuses them. */
        TargetState state();

        /** Where its requests are appended; {@code null} if there is no log, or another server has it. */
        default @Nullable RecordLog log() {
            return null;
        }

        /** Whether it is certain that no other server has the log. Without that, what this server knows of the state may be old. */
        default boolean isSurelyHeld() {
            return true;
        }

        /** Whether it waits for a log that another server has. */
        default boolean isStandingBy() {
            return this instanceof StandingBy;
        }

        /** The first problem found, a part of a sentence; {@code null} if there is none. */
        @Nullable
        String problem();

        /**
         * Executes a request apart from any log: without one, or of a stateless service. If that throws, the target is failed
         * for good.
         *
         * @return whether the reply holds an answer
         */
        default boolean execute(ByteBuf request, ByteBuf reply) {
            return apart(request, reply, false);
        }

        /** Executes a request that {@link #mayRead}, also of a service with state, whose state stays as it is. */
        default boolean read(ByteBuf request, ByteBuf reply) {
            return apart(request, reply, true);
        }

        private boolean apart(ByteBuf request, ByteBuf reply, boolean reads) {
            TargetState state = state();
            if (state.failure() != null) {
                return false;
            }
            try {
                if (state.isStateless()) {
                    run(state.service(), reads, request, reply);
                } else {
                    synchronized (state.lock()) { // without a log there is no other order than that of arrival here
                        run(state.service(), reads, request, reply);
                    }
                }
                return true;
            } catch (Throwable t) {
                state.fail(t);
                return false;
            }
        }

        /** Makes the payload of a reply from that of its request, and notes in the reply how long that took. */
        static void run(Service service, boolean reads, ByteBuf request, ByteBuf reply) {
            long began = System.nanoTime();
            int from = request.readerIndex() + RequestHeader.BYTES;
            int to = reply.readerIndex() + ReplyHeader.BYTES;
            int length = RequestHeader.payloadBytes(request);
            if (reads) {
                service.read(request, from, reply, to, length);
            } else {
                service.execute(request, from, reply, to, length);
            }
            ReplyHeader.setExecutionNanos(reply, System.nanoTime() - began);
        }

        /** Whether the service takes this request, which is flagged as read-only, without its being logged. */
        default boolean mayRead(ByteBuf request) {
            try {
                return state().service()
                        .mayRead(
                                request,
                                request.readerIndex() + RequestHeader.BYTES,
                                RequestHeader.payloadBytes(request));
            } catch (Throwable t) {
                state().fail(t);
                return true; // it proceeds, and gets the answer that the target failed
            }
        }

        /**
         * Why what was read may be old, in a sentence without an end; {@code null} if it is certain that it was not when this is
         * called. To be asked after a read, and before it is answered.
         */
        default @Nullable String outdated() {
            return isSurelyHeld()
                    ? null
                    : "target " + target().name()
                            + " has not heard from what keeps its log's queue for a while, and another server may have"
                            + " the log by now";
        }

        default void refused(Status status) {
            target().meters().refused(status);
            RecordLog log = log();
            if (status == Status.LOG_FULL && log != null) {
                log.refusedForSpace();
            }
        }
    }

    private record Opening(Target target, TargetState state) implements Phase {
        @Override
        public String problem() {
            return "target " + target.name() + " recovers its log";
        }
    }

    /** @param isTurn whether it is certain that no other server's turn to hold the log has come */
    private record Serving(
            Target target, TargetState state, @Nullable RecordLog log, BooleanSupplier isTurn) implements Phase {
        @Override
        public boolean isSurelyHeld() {
            return log == null || (log.isSurelyHeld() && isTurn.getAsBoolean());
        }

        @Override
        public @Nullable String problem() {
            String problem = log == null ? null : log.problem();
            if (problem == null) {
                problem = outdated();
            }
            if (problem != null || log == null) {
                return problem == null ? failed() : problem;
            }
            if (log.stalledNanos() > STALLED_NANOS) {
                return "the log of target " + target.name() + " has been writing and forcing the same batch for "
                        + log.stalledNanos() / 1_000_000_000 + " s; look at its disk";
            }
            if (log.callbackNanos() > CALLBACK_NANOS) {
                return "the service of target " + target.name() + " has not returned from one record for "
                        + log.callbackNanos() / 1_000_000_000 + " s";
            }
            return failed();
        }

        private @Nullable String failed() {
            return state.failure() == null ? null : state.failedSentence();
        }
    }

    /**
     * Another server has the log: the state refuses all requests.
     *
     * @param why a sentence
     * @param followed what was made of the log's beginning; {@code null} while nothing was
     */
    private record StandingBy(
            Target target,
            TargetState state,
            String why,
            @Nullable FollowedState followed) implements Phase {
        @Override
        public String problem() {
            return followed == null ? why : why + followed.progress();
        }
    }

    private record Closed(
            Target target, TargetState state, @Nullable RecordLog log) implements Phase {
        @Override
        public String problem() {
            return "the log of target " + target.name() + " is closed";
        }
    }

    /** @param state in its first state */
    public Target(int id, TargetOptions options, TargetState state, int maxPayloadBytes, TargetMeters meters) {
        this.id = id;
        this.options = options;
        this.maxPayloadBytes = maxPayloadBytes;
        this.isLogged = options.isLogged();
        this.meters = meters;
        this.phase = new Opening(this, state);
        Map<String, String> known = new LinkedHashMap<>();
        known.put("service", state.service().name());
        if (state.isStateless() && state.service().executesAfterForce()) {
            known.put("executes", "after the force");
        }
        known.put("window", Integer.toString(isLogged() ? MemoryBounds.WINDOW : 0));
        known.put("readOnlyRequests", state.service().takesReads() ? "yes" : "no");
        if (options.place() instanceof LogPlace.Address address) {
            known.put("address", address.uri().toString());
        }
        this.facts = known;
    }

    /** Recovers its log and its state, and serves. Blocks. */
    public void open(LogOpener opener) throws IOException {
        RecordLog log = opener.open(options, phase.state(), meters);
        if (log != null && !options.directories().isEmpty()) {
            DirectoryFacts found = DirectoryFacts.of(options.directories())
                    .with(options.storage().facts());
            directories = found;
            learn(found.asMap());
        }
        if (log instanceof TargetLog own) {
            opening = own.opening();
        }
        serve(log, phase.state(), () -> true);
    }

    /**
     * Serves from now on.
     *
     * @param log null if it does not log
     * @param state which has replayed the log
     * @param isTurn whether that is certain, where servers take turns; asked on event loops, after each read
     * @return whether it does; not once it is closed, and then the log is the caller's to close
     */
    public synchronized boolean serve(@Nullable RecordLog log, TargetState state, BooleanSupplier isTurn) {
        if (phase instanceof Closed) {
            return false;
        }
        if (log instanceof TargetLog own && options.place() instanceof LogPlace.Address) {
            learn(own.records().facts());
        }
        phase = new Serving(this, state, log, isTurn);
        return true;
    }

    private void learn(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(facts);
        all.putAll(more);
        facts = all;
    }

    /** Says why it waits for its log, a part of a sentence, and refuses requests from now on. */
    public synchronized void standBy(String why, @Nullable FollowedState followed) {
        if (phase instanceof StandingBy || phase instanceof Opening) {
            String sentence = standbySentence(why);
            phase.state().standsBy(sentence);
            phase = new StandingBy(this, phase.state(), sentence, followed);
        }
    }

    /**
     * Waits for its log after this server had it and lost it: of requests that were under way then, it continues to say that it is
     * unknown here whether they were logged.
     *
     * @param fresh in its first state
     * @return whether it does; not once it is closed
     */
    public synchronized boolean standByAfterLoss(TargetState fresh, String why) {
        if (phase instanceof Closed) {
            return false;
        }
        String sentence = standbySentence(why);
        fresh.standsByAfter(phase.state(), sentence);
        phase = new StandingBy(this, fresh, sentence, null);
        return true;
    }

    private String standbySentence(String why) {
        return "target " + name() + " is a standby: " + why;
    }

    /** The last phase: its log, {@code null} if it has none, is to be closed. */
    public synchronized @Nullable RecordLog close() {
        phase = new Closed(this, phase.state(), phase.log());
        return phase.log();
    }

    public Phase phase() {
        return phase;
    }

    /** How many records are known to be in the log and not applied here while it stands by; NaN while nothing of it is. */
    double recordsBehind() {
        if (phase instanceof StandingBy waiting) {
            return waiting.followed() == null ? Double.NaN : waiting.followed().recordsBehind();
        }
        return 0;
    }

    public int id() {
        return id;
    }

    public String name() {
        return options.name();
    }

    public TargetOptions options() {
        return options;
    }

    public boolean isLogged() {
        return isLogged;
    }

    /** The longest payload that its log takes; segments bound it. */
    public int maxPayloadBytes() {
        return maxPayloadBytes;
    }

    public TargetMeters meters() {
        return meters;
    }

    /** Held by the thread whose request is in the log, where each is to be forced by itself; first come, first served. */
    public ReentrantLock turn() {
        return turn;
    }

    public @Nullable DirectoryFacts directories() {
        return directories;
    }

    /** What the start of the server found in its log; {@code null} if it does not log, or waited for its log then. */
    public @Nullable OpeningReport opening() {
        return opening;
    }

    public TargetDescription description() {
        return new TargetDescription(id, name(), options.forceLabel(), facts);
    }
}
