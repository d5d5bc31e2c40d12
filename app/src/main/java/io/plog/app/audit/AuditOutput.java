package io.plog.app.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.LogArgument;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prints an audit as it goes, since there may be more violations than fit into memory: for people the first of them, how many more
 * there are, and the verdict; or one JSON object with all of them before the result.
 */
final class AuditOutput implements Closeable {
    private static final int MOST_LISTED = 20;

    private final PrintWriter out;
    private final @Nullable JsonGenerator json;
    private long listed;
    private long notListed;
    private long leastLost = Long.MAX_VALUE;

    /**
     * Prints nothing yet: misuse has nothing on standard output.
     *
     * @param asJson whether JSON is printed
     */
    AuditOutput(PrintWriter out, boolean asJson) throws IOException {
        this.out = out;
        json = asJson ? JsonText.generator(out) : null;
    }

    void violation(Violation violation) {
        Violation.Place acknowledged = violation.acknowledged();
        if (violation.kind() == Violation.Kind.LOST && acknowledged != null) {
            leastLost = Math.min(leastLost, acknowledged.index());
        }
        if (json == null && listed == MOST_LISTED) {
            notListed++;
            return;
        }
        try {
            if (json == null) {
                out.println(violation.sentence());
            } else {
                begin(json);
                json.writeTree(node(violation));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        listed++;
    }

    private void begin(JsonGenerator object) throws IOException {
        if (listed == 0) {
            object.writeStartObject();
            object.writeArrayFieldStart("violations");
        }
    }

    private static ObjectNode node(Violation violation) {
        ObjectNode node = JsonText.object().put("kind", violation.kind().name());
        if (violation.kind() != Violation.Kind.GAP) {
            node.put("client", Long.toUnsignedString(violation.client()))
                    .put("request", Long.toUnsignedString(violation.request()));
        }
        place(node, "acknowledged", violation.acknowledged());
        place(node, "found", violation.found());
        return node;
    }

    private static void place(ObjectNode node, String name, Violation.@Nullable Place place) {
        if (place != null) {
            node.putObject(name)
                    .put("index", place.index())
                    .put("length", place.length())
                    .put("crc32c", String.format("%08x", place.crc32c()));
        }
    }

    /** Prints the result, after all violations. */
    void result(LedgerFiles ledger, LogArgument log, Audit.Result result) throws IOException {
        if (json == null) {
            text(ledger, log, result);
            return;
        }
        begin(json);
        json.writeEndArray();
        ObjectNode node = JsonText.object()
                .put("ok", result.holds())
                .put("log", log.describe())
                .put("target", ledger.target())
                .put("ledgerLines", ledger.lines())
                .put("otherTargets", ledger.ofOthers())
                .put("unlogged", ledger.unlogged())
                .put("repeated", ledger.repeats());
        node.setAll(JsonText.fields(result));
        node.put("damage", result.damage() == null ? "" : result.damage().getMessage());
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            json.writeObjectField(field.getKey(), field.getValue());
        }
        json.writeEndObject();
        json.flush();
        out.println();
    }

    private void text(LedgerFiles ledger, LogArgument log, Audit.Result result) {
        if (notListed > 0) {
            out.println("and " + notListed + " more; --json has all of them");
        }
        out.println("ledger: " + lines(ledger.lines()) + " read, "
                + (ledger.target().isEmpty()
                        ? "none acknowledged by a log"
                        : result.acknowledged() + " requests acknowledged by target " + ledger.target())
                + others(ledger));
        out.println("log: "
                + (result.records() == 0
                        ? "no records"
                        : "records " + result.firstIndex() + " to " + result.lastIndex())
                + " read in " + log
                + (result.checkpointIndex() > 0 ? ", checkpoint at record " + result.checkpointIndex() : ""));
        if (result.dropped() > 0) {
            out.println("dropped after the checkpoint at record " + result.checkpointIndex()
                    + ", so that they cannot be compared: " + result.dropped() + " of them");
        }
        if (result.records() > 0 && result.acknowledged() == result.counts().getOrDefault(Violation.Kind.LOST, 0L)) {
            out.println("none of them is in this log: is it the log of target " + ledger.target() + "?");
        }
        if (endsEarly(result)) {
            out.println("the log ends early: " + result.wrong() + " acknowledged "
                    + (result.wrong() == 1 ? "request" : "requests") + " behind record "
                    + result.lastIndex() + " " + (result.wrong() == 1 ? "is" : "are")
                    + " lost");
            out.println("an optimistic log (force=write) may lose its end in a crash; one that forces must not");
        }
        out.println(verdict(result));
    }

    /** Whether nothing is wrong but that the end of the log is not there, as after a crash before the force. */
    private boolean endsEarly(Audit.Result result) {
        return result.damage() == null
                && result.counts().keySet().equals(Set.of(Violation.Kind.LOST))
                && leastLost > result.lastIndex();
    }

    private static String others(LedgerFiles ledger) {
        return (ledger.ofOthers() > 0 ? "; " + lines(ledger.ofOthers()) + " of other targets" : "")
                + (ledger.unlogged() > 0 ? "; " + lines(ledger.unlogged()) + " not logged" : "")
                + (ledger.repeats() > 0 ? "; " + lines(ledger.repeats()) + " reported twice" : "");
    }

    private static String lines(long count) {
        return count + (count == 1 ? " line" : " lines");
    }

    private static String verdict(Audit.Result result) {
        if (result.holds()) {
            if (result.acknowledged() == 0) {
                return "holds, but shows nothing: nothing was acknowledged";
            }
            return "holds: " + (result.dropped() > 0 ? result.intact() + " of " : "all ") + result.acknowledged()
                    + " acknowledged requests are in the log, byte for byte, once, in order"
                    + (result.dropped() > 0 ? "; " + result.dropped() + " were dropped after a checkpoint" : "");
        }
        String kinds = result.counts().entrySet().stream()
                .map(count -> count.getValue() + " " + count.getKey().label)
                .collect(Collectors.joining(", "));
        String damaged = result.damage() == null ? "" : "the log is damaged; ";
        return "does not hold: " + damaged + result.wrong() + " of " + result.acknowledged()
                + " acknowledged requests are missing or wrong" + (kinds.isEmpty() ? "" : " (" + kinds + ")");
    }

    @Override
    public void close() throws IOException {
        if (json != null) {
            json.close();
        }
        out.flush();
    }
}
