package io.plog.server;

import io.plog.protocol.tls.Tls;
import io.plog.server.monitoring.ServerNotices;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of TLS again, once a second, and says when they changed, cannot be used, or the certificate ends soon. On a thread
 * of its own: an event loop waits for no disk.
 */
final class CertificateWatch implements AutoCloseable {
    /** Certificates are mostly renewed a month before their end. */
    private static final Duration SOON = Duration.ofDays(7);

    private final Tls tls;
    private final ServerNotices notices;
    private final Clock clock;
    private @Nullable ScheduledExecutorService thread;

    // Of the thread that looks.
    private @Nullable String problem;
    private @Nullable String said;
    private boolean endIsSaid;
    private boolean soonIsSaid;

    CertificateWatch(Tls tls, ServerNotices notices, Clock clock) {
        this.tls = tls;
        this.notices = notices;
        this.clock = clock;
    }

    synchronized void start() {
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread created = new Thread(task, "plog-certificates");
            created.setDaemon(true);
            return created;
        });
        var unused = started.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
        thread = started;
    }

    /** A problem is reported when it is seen a second time: a pair of files is not renewed in one step. */
    void look() {
        try {
            if (tls.refresh()) {
                endIsSaid = false;
                soonIsSaid = false;
                notices.say("the certificate was renewed: new connections have the one that ends at " + tls.end());
            }
            problem = null;
            said = null;
        } catch (IOException | RuntimeException e) {
            String found = e.toString();
            if (found.equals(problem) && !found.equals(said)) {
                said = found;
                notices.say("the files of TLS have changed and cannot be used; the earlier ones stay in use: "
                        + e.getMessage());
            }
            problem = found;
        }
        Instant now = clock.instant();
        if (!endIsSaid && now.isAfter(tls.end())) {
            endIsSaid = true;
            notices.say("the certificate expired at " + tls.end() + ": clients refuse it; replace its files");
        } else if (!soonIsSaid && now.plus(SOON).isAfter(tls.end())) {
            soonIsSaid = true;
            notices.say("the certificate ends soon, at " + tls.end() + ": replace its files");
        }
    }

    @Override
    public synchronized void close() {
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
