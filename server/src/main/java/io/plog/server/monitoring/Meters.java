package io.plog.server.monitoring;

import io.plog.log.micrometer.LogMeters;
import io.plog.log.micrometer.NamedMeter;

/**
 * The meters of the server: their names and meanings in one place, but for those that {@link LogMeters} has of a log.
 * {@code docs/monitoring.md} has a table of all.
 */
public final class Meters {
    public static final NamedMeter REQUEST = new NamedMeter(
            "plog.request", "From the arrival of a whole request until its reply was written to its connection");
    public static final NamedMeter LOG_LATENCY =
            new NamedMeter("plog.log.latency", "From handing a record to the log until it was durable");
    public static final NamedMeter LOG_WAITING =
            new NamedMeter("plog.log.waiting", "From handing a record to the log until the log's thread took it up");
    public static final NamedMeter LOG_FREE = new NamedMeter(
            "plog.log.free", "Free space on the log's file system; of several directories on the fullest");
    public static final NamedMeter LOG_COPIES = new NamedMeter(
            "plog.log.copies",
            "Copies that a record appended now has at least, on machines that are there; 0 while this server has no log");
    public static final NamedMeter CHECKPOINT = new NamedMeter(
            "plog.checkpoint", "Saving a checkpoint of a target's state, from the copy of the state to stable");
    public static final NamedMeter CHECKPOINT_SIZE =
            new NamedMeter("plog.checkpoint.size", "Bytes of state in the last checkpoint that was saved");
    public static final NamedMeter CHECKPOINT_FAILURES = new NamedMeter(
            "plog.checkpoint.failures", "Checkpoints that could not be saved; the one before is still good");
    public static final NamedMeter DROP_FAILURES = new NamedMeter(
            "plog.drop.failures",
            "Records that a checkpoint covers could not be dropped; the log grows beyond its bound");
    public static final NamedMeter REPLAYED = new NamedMeter("plog.replayed", "Records executed again at the start");
    public static final NamedMeter STANDBY = new NamedMeter(
            "plog.standby", "1 while this server waits for the target's log, 0 while it holds it; with --standby only");
    public static final NamedMeter STANDBY_BEHIND = new NamedMeter(
            "plog.standby.behind",
            "Records that are acknowledged, as far as that is known, and not applied here; NaN while this server waits and"
                    + " follows nothing; with --standby only");
    public static final NamedMeter TAKEOVER = new NamedMeter(
            "plog.takeover",
            "Taking a log over, by step: open (the server before is fenced), replay, all (from this server's turn until it"
                    + " serves)");
    public static final NamedMeter CLIENTS =
            new NamedMeter("plog.clients", "Clients whose last requests the target remembers");
    public static final NamedMeter REPEATS = new NamedMeter(
            "plog.repeats", "Repeated requests that got their recorded answer; plog.requests counts them, too");
    public static final NamedMeter READS = new NamedMeter(
            "plog.reads", "Read-only requests answered, which are not logged; plog.requests counts them, too");
    public static final NamedMeter REQUESTS =
            new NamedMeter("plog.requests", "Requests answered, by target and status");
    public static final NamedMeter BUILD =
            new NamedMeter("plog.build.info", "1, with the build's version and commit as labels");
    public static final NamedMeter CERTIFICATE_END =
            new NamedMeter("plog.tls.certificate.end", "When the server's certificate ends, in seconds since 1970");
    public static final NamedMeter CONNECTIONS = new NamedMeter("plog.connections", "Connections that are open");
    public static final NamedMeter CONNECTIONS_ACCEPTED =
            new NamedMeter("plog.connections.accepted", "Connections accepted since the start");
    public static final NamedMeter BUFFERED = new NamedMeter(
            "plog.buffered", "What connections hold beyond what each may: requests under way, replies not yet read");
    public static final NamedMeter BUFFERED_LIMIT = new NamedMeter("plog.buffered.limit", "The bound of plog.buffered");
    public static final NamedMeter ACCEPT_FAILURES = new NamedMeter(
            "plog.accept.failures",
            "How often a connection could not be accepted, mostly for lack of a file descriptor; it was tried again");
    public static final NamedMeter CONNECTIONS_ENDED =
            new NamedMeter("plog.connections.ended", "Connections that the server ended, by reason");
    public static final NamedMeter HTTP_RESPONSES = new NamedMeter(
            "plog.http.responses", "Responses over HTTP, by status code; plog.requests counts those to a target, too");

    private Meters() {}
}
