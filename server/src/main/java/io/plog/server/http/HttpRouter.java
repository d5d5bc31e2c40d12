package io.plog.server.http;

import io.plog.protocol.Status;
import io.plog.server.access.Rights;
import io.plog.server.targets.Target;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Says what a request of the HTTP port is for, and words its refusals. */
public final class HttpRouter {
    /** What a client hears that is not known. */
    public static final String STRANGER =
            "the server knows neither token nor certificate of this client: expected the header"
                    + " field Authorization: Bearer TOKEN";

    private static final String LOG = "/log/";
    private static final String READ = "/read/";
    private static final String READERS = "GET, HEAD";

    private HttpRouter() {}

    static boolean isReadOnly(HttpHead head) {
        return head.path().startsWith(READ);
    }

    /** Finds the target that a request is for; or answers the request, and returns {@code null}. */
    static @Nullable Target route(HttpContext front, HttpHead head, HttpExchange exchange, Rights rights) {
        String path = head.path();
        if (rights.equals(Rights.NONE)) {
            exchange.say(HttpStatus.UNAUTHORIZED, STRANGER);
            return null;
        }
        if (path.equals("/")) {
            if (rights.reads()) {
                describe(front, head, exchange);
            } else {
                refuse(exchange, Status.NOT_ALLOWED, "it may not read");
            }
            return null;
        }
        boolean logs = path.startsWith(LOG);
        if (!logs && !path.startsWith(READ)) {
            exchange.say(
                    HttpStatus.NOT_FOUND,
                    "no such path here: expected POST /log/TARGET, POST /read/TARGET, or GET / for a description");
            return null;
        }
        String name = path.substring(logs ? LOG.length() : READ.length());
        if (name.indexOf('?') >= 0) {
            exchange.say(HttpStatus.BAD_REQUEST, "a query: expected none behind the target's name");
            return null;
        }
        if (!(logs ? rights.mayAppend(name) : rights.reads())) {
            refuse(exchange, Status.NOT_ALLOWED, "it may not " + (logs ? "append to target " + name : "read"));
            return null;
        }
        Target target = front.target(name);
        if (target == null) {
            exchange.say(HttpStatus.NOT_FOUND, "no such target: expected one of " + front.names());
            return null;
        }
        return reasonToRefuse(head, exchange, target, logs) ? null : target;
    }

    private static void describe(HttpContext front, HttpHead head, HttpExchange exchange) {
        if (!head.method().equals("GET") && !head.method().equals("HEAD")) {
            notAllowed(exchange, head, READERS);
            return;
        }
        exchange.status = HttpStatus.OK;
        exchange.text = head.acceptsJson() ? front.json() : front.text();
        exchange.contentType = head.acceptsJson() ? HttpExchange.JSON : HttpExchange.TEXT;
    }

    private static void notAllowed(HttpExchange exchange, HttpHead head, String allowed) {
        String method = head.method().length() > 20 ? "another method" : head.method();
        exchange.allow = allowed;
        exchange.say(HttpStatus.METHOD_NOT_ALLOWED, method + ": expected " + allowed + " here");
    }

    private static boolean reasonToRefuse(HttpHead head, HttpExchange exchange, Target target, boolean logs) {
        if (!head.method().equals("POST")) {
            notAllowed(exchange, head, "POST");
        } else if (logs && CallerCheck.isLikeAForm(head) && !exchange.isIdentified) {
            // No page may send such header fields without having asked.
            exchange.say(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "a body of a type that any web page's form can send: expected another, as of curl -H 'Content-Type:"
                            + " application/octet-stream' --data-binary ..., or an Idempotency-Key");
        } else if (!head.isChunked() && head.contentLength() < 0) {
            exchange.say(
                    HttpStatus.LENGTH_REQUIRED,
                    "neither Content-Length nor Transfer-Encoding: expected one, Content-Length: 0 for an empty body");
        } else if (exchange.isIdentified && !target.isLogged()) {
            exchange.say(
                    HttpStatus.BAD_REQUEST,
                    "an Idempotency-Key or a Plog-Client for target " + target.name()
                            + ", which keeps no log and remembers nothing: expected none");
        } else if (exchange.isIdentified && !logs) {
            exchange.say(
                    HttpStatus.BAD_REQUEST,
                    "an Idempotency-Key or a Plog-Client for a request that is not logged: expected none");
        } else {
            return false;
        }
        return true;
    }

    /** Words what the server refused; its own reason may be empty. */
    static void refuse(HttpExchange exchange, Status status, String reason) {
        exchange.serverStatus = status.name().toLowerCase(Locale.ROOT);
        exchange.say(HttpStatus.of(status), sentence(status) + (reason.isEmpty() ? "" : "\n" + reason));
        switch (status) {
            case OVERLOADED, SHUTTING_DOWN, NO_QUORUM -> exchange.retryAfterSeconds = 1;
            case LOG_FULL -> exchange.retryAfterSeconds = 10;
            default -> {}
        }
    }

    private static String sentence(Status status) {
        return switch (status) {
            case OVERLOADED ->
                "the queue before the log is full, or more new clients or keys came than can be remembered for their time;"
                        + " not logged, not executed: try again later";
            case LOG_FULL -> "no space for the log; not logged, not executed: try again when there is";
            case SHUTTING_DOWN -> "the server is closing; not logged, not executed: try again when it is back";
            case LOG_FAILED ->
                "a write or a force of the log failed; whether the request is logged is not known until the server was"
                        + " restarted: send it again then, with the same Idempotency-Key or number";
            case LOG_UNAVAILABLE ->
                "the target's log had failed before this request came; not logged, not executed: try again when the server was"
                        + " restarted";
            case NOT_SERVING -> "another server has the target's log; not logged, not executed: send it to that one";
            case NO_QUORUM ->
                "too few of the machines that keep the target's log answer; not logged, not executed: try again later";
            case FAILED ->
                "the target's service failed; whether the request is executed is not known until the server was restarted:"
                        + " send it again then, with the same Idempotency-Key or number";
            case OUTDATED -> "this Idempotency-Key or number was used, and its answer is forgotten: not executed again";
            case CONFLICT ->
                "this Idempotency-Key or number was used for another body; this one is not logged, not executed: expected"
                        + " the same body, or a new one";
            case UNSUPPORTED -> "read-only requests are not supported here; not executed: expected POST /log/TARGET";
            case NOT_ALLOWED -> "this client may not do this; not logged, not executed";
            case TOO_LARGE -> "the body is longer than the target's log takes; not logged, not executed";
            case UNKNOWN_TARGET -> "no such target";
            case OK -> "done";
        };
    }
}
