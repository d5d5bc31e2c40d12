package io.plog.results.verdict;

import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;

/**
 * The checks of runs, loads and studies, in the order in which they are made and documented: each has one id and one meaning wherever
 * it is applied. To add one, add it here and apply it.
 */
public enum CheckRule {
    COMPLETE("complete", "every cell of the plan has all its requests; a load or study ran to its end"),
    DESIGN("design", "each server of a study has the design that was asked for"),
    FAILURES("failures", "every request after the warm-up, but for what was refused, was answered with OK"),
    ONE_FORCE_EACH("one-force-each", "with one connection no record shared its force"),
    RATE("rate", "at least 99 % of the offered rate was reached, in a load without a growing backlog"),
    SCHEDULE_LAG(
            "schedule-lag",
            "the lag is at most a tenth of the latency: of its mean and 99th percentile (else invalid), and its 99th percentile"
                    + " of the latency's median (else a warning)"),
    REPEATED("repeated", "no cell of a study was measured again"),
    REFUSALS("refusals", "no request was refused as overloaded"),
    REQUESTS("requests", "each cell of a study has at least 200 requests that count"),
    CONNECTIONS("connections", "a load lost no connection"),
    DURATIONS("durations", "logging <= residence <= end to end in every request"),
    STEADY("steady", "every cell was steady while it was counted, in more than half of the trials"),
    BLOCKS("blocks", "without its worst block no cell's mean would be below two thirds of what it is"),
    BASELINE(
            "baseline",
            "no logged median is below 0.9 of the median without logging of the same size, and no mean surely below that"
                    + " without logging"),
    STABLE_STORAGE("stable-storage", "the directory of a target that forces is not in memory"),
    PLAUSIBLE("plausible", "nothing shows that a volatile cache answered"),
    WRITE_CACHE("write-cache", "the kernel says whether the device has a volatile write cache"),
    MACHINE("machine", "what went on at a side was recorded; if not, the rules below are not judged"),
    HICCUPS("hiccups", "how late a thread that was ready to run came to run, 99th percentile"),
    PROCESSORS("processors", "the machine's processor time in use"),
    STEAL("steal", "processor time that the hypervisor gave to others"),
    MEMORY("memory", "the least share of the machine's memory that was free"),
    CLOCK("clock", "the least step of the clock that measures"),
    PREPARATION("preparation", "no log prepared segments while requests were counted"),
    DISK(
            "disk",
            "what of the bytes written to the log's device did not come from the server, if it was more than 1 MB/s"),
    OTHERS("others", "the share of processor time that neither client nor server used, if they are on one machine");

    private final String id;
    private final String meaning;

    CheckRule(String id, String meaning) {
        this.id = id;
        this.meaning = meaning;
    }

    /** As in the results. */
    public String id() {
        return id;
    }

    /** What must be so. */
    public String meaning() {
        return meaning;
    }

    /** Of a whole run, load or study. */
    public Check check(boolean ok, Severity severity, String detail) {
        return new Check(id, ok, severity, detail);
    }

    /**
     * Of a part of it.
     *
     * @param of a target, a side or a device
     */
    public Check check(String of, boolean ok, Severity severity, String detail) {
        return new Check(id + ":" + of, ok, severity, detail);
    }

    /** Whether a check is of this rule. */
    public boolean isOf(Check check) {
        return check.id().equals(id) || check.id().startsWith(id + ":");
    }
}
