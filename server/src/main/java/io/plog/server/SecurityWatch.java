package io.plog.server;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.plog.protocol.security.Tls;
import io.plog.server.access.Access;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.targets.LogSpace;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of TLS and of rights again, once a second, and says when they changed, cannot be used, or the certificate ends soon.
 * On a thread of its own: an event loop waits for no disk.
 */
final class SecurityWatch implements AutoCloseable {
    /** Certificates are mostly renewed a month before their end. */
    private static final Duration SOON = Duration.ofDays(7);

    private final @Nullable Tls tls;
    private final Access access;
    private final ServerNotices notices;
    private final Clock clock;
    private @Nullable ScheduledExecutorService thread;

    // Of the thread that looks.
    private final Problem ofTls = new Problem("the files of TLS have changed and cannot be used");
    private final Problem ofAccess = new Problem("the file of --access has changed and cannot be used");
    private boolean endIsSaid;
    private boolean soonIsSaid;

    SecurityWatch(@Nullable Tls tls, Access access, ServerNotices notices, Clock clock) {
        this.tls = tls;
        this.access = access;
        this.notices = notices;
        this.clock = clock;
    }

    synchronized void start() {
        ScheduledExecutorService started =
                Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("plog-security", true));
        var unused = started.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
        thread = started;
    }

    /** Once; on the thread of {@link #start}. */
    void look() {
        if (ofAccess.isGoneAfter(access::refresh)) {
            notices.say("the file of --access was read again: it holds for new connections and for requests over HTTP");
        }
        if (tls != null) {
            look(tls);
        }
    }

    private void look(Tls own) {
        if (ofTls.isGoneAfter(own::refresh)) {
            endIsSaid = false;
            soonIsSaid = false;
            notices.say("the certificate was renewed: new connections have the one that ends at " + own.end()
                    + (own.warning().isEmpty() ? "" : "; warning: " + own.warning()));
        }
        Instant now = clock.instant();
        if (!endIsSaid && now.isAfter(own.end())) {
            endIsSaid = true;
            notices.say("the certificate expired at " + own.end() + ": clients refuse it; replace its files");
        } else if (!soonIsSaid && now.plus(SOON).isAfter(own.end())) {
            soonIsSaid = true;
            notices.say("the certificate ends soon, at " + own.end() + ": replace its files");
        }
    }

    /** Why files cannot be used: reported once, when it is seen a second time, since two files are not renewed in one step. */
    private final class Problem {
        private final String what;
        private String seen = "";
        private String said = "";

        Problem(String what) {
            this.what = what;
        }

        /** Whether there is something new that can be used; {@code refresh} says whether the files have changed. */
        boolean isGoneAfter(Callable<Boolean> refresh) {
            try {
                boolean changed = refresh.call();
                seen = "";
                said = "";
                return changed;
            } catch (Exception e) {
                String found = e.toString();
                if (found.equals(seen) && !found.equals(said)) {
                    said = found;
                    notices.say(what + "; what was read earlier stays in use: " + LogSpace.reasonOf(e));
                }
                seen = found;
                return false;
            }
        }
    }

    @Override
    public synchronized void close() {
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
