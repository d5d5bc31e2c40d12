package io.plog.app.audit;

import io.plog.app.cli.LogArgument;
import java.io.PrintWriter;
import java.util.Set;
import java.util.stream.Collectors;

/** An audit for people: the first violations, how many more there are, and the verdict. */
final class TextAuditOutput implements AuditOutput {
    private static final int MOST_LISTED = 20;

    private final PrintWriter out;
    private final long mostListed;
    private long listed;
    private long notListed;
    private long leastLost = Long.MAX_VALUE;

    TextAuditOutput(PrintWriter out, boolean listAll) {
        this.out = out;
        this.mostListed = listAll ? Long.MAX_VALUE : MOST_LISTED;
    }

    @Override
    public void violation(Violation violation) {
        Violation.Place acknowledged = violation.acknowledged();
        if (violation.kind() == Violation.Kind.LOST && acknowledged != null) {
            leastLost = Math.min(leastLost, acknowledged.index());
        }
        if (listed < mostListed) {
            out.println(violation.sentence());
            listed++;
        } else {
            notListed++;
        }
    }

    @Override
    public void result(LedgerFiles ledger, LogArgument log, Audit.Result result) {
        if (notListed > 0) {
            out.println("and " + notListed + " more; --list-all lists all of them");
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
    public void close() {
        out.flush();
    }
}
