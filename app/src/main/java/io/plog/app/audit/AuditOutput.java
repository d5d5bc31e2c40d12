package io.plog.app.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.LogArgument;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints an audit: for people the first of what is wrong, how much more there is, and the verdict; or one JSON object with all. */
final class AuditOutput {
    private static final int MOST_LISTED = 20;

    private AuditOutput() {}

    /** One line of JSON, without its end. */
    static String json(LedgerFiles ledger, LogArgument log, Audit.Result result) {
        ObjectNode node = JsonText.object();
        node.set("violations", JsonText.array(result.violations().stream().map(AuditOutput::node)));
        node.put("ok", result.holds())
                .put("log", log.describe())
                .put("target", ledger.target())
                .put("ledgerLines", ledger.lines())
                .put("otherTargets", ledger.ofOthers())
                .put("unlogged", ledger.unlogged())
                .put("repeated", ledger.repeats());
        node.setAll(JsonText.fields(result));
        node.put("damage", result.damage() == null ? "" : result.damage().getMessage());
        return JsonText.line(node);
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

    /** Text for people; each line ends. */
    static void text(PrintWriter out, boolean listAll, LedgerFiles ledger, LogArgument log, Audit.Result result) {
        List<Violation> all = result.violations();
        int listed = listAll ? all.size() : Math.min(MOST_LISTED, all.size());
        all.subList(0, listed).forEach(violation -> out.println(violation.sentence()));
        if (listed < all.size()) {
            out.println("and " + (all.size() - listed) + " more; --list-all lists all of them");
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
    private static boolean endsEarly(Audit.Result result) {
        return result.damage() == null
                && result.counts().keySet().equals(Set.of(Violation.Kind.LOST))
                && result.violations().stream()
                        .allMatch(lost ->
                                Objects.requireNonNull(lost.acknowledged()).index() > result.lastIndex());
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
}
