package io.plog.results.study;

import io.plog.results.model.Claim;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.verdict.Claims;
import io.plog.results.verdict.Finding;
import io.plog.results.verdict.PublishedClaim;
import io.plog.results.verdict.PublishedClaim.Subject;
import io.plog.results.verdict.PublishedClaim.Subjects;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The published findings that a study is held against: R1 to R6 of Ruan and Pai, W1 and W2 of Wu, a row each. The rules in words are
 * in {@code docs/measurement.md}: an interval decides, and where it does not, nothing is decided.
 */
public final class StudyClaims {
    private static final String NO_UNIT = "";

    /** All of them, in the order in which they are judged, shown and documented. */
    public static final List<PublishedClaim<Facts, ?>> ROWS = List.of(
            row(
                    "R1",
                    PublishedServers.STUDY,
                    "Latency is dominated by blocking: removing it from Old Flash cut the mean 12 times and the median 47 times"
                            + " with one instance, 54 and 174 times with four, at the same load, while capacity rose far less.",
                    "mean 12 and 54 times, median 47 and 174 times",
                    facts -> facts.servers().blockingDominates()),
            row(
                    "R2",
                    PublishedServers.STUDY_2004,
                    "Capacity: New-Flash (dedicated) is above Old Flash (inline) by 1.23, and that above Apache (threads) by"
                            + " 1.26, in the disk-bound workload.",
                    "1.23 and 1.26 times",
                    facts -> facts.servers().capacityOrder()),
            row(
                    "R3",
                    PublishedServers.STUDY,
                    "At load 0.95, service inversion is high (0.58, not checked at its source) where the server blocks, and low"
                            + " (0.35) where it does not, as in memory (0.33). The comparison with a random order is plog's.",
                    "0.58 and 0.35; 0.33 in memory",
                    facts -> facts.servers().inversion()),
            row(
                    "R4",
                    PublishedServers.STUDY_2004,
                    "More processes make it worse: 300 instead of 150 raised Apache's mean 1.5 times and its median 18.8"
                            + " times.",
                    "mean 1.5 times, median 18.8 times",
                    facts -> facts.servers().moreProcesses()),
            row(
                    "R5",
                    PublishedServers.STUDY,
                    "Blocking makes bursts: with it removed, the mean number of ready events in a turn fell from 61 to 1.6"
                            + " (not checked at their source).",
                    "61 and 1.6",
                    facts -> facts.servers().bursts()),
            row(
                    "R6",
                    PublishedServers.STUDY,
                    "A faster processor shortens the latency at equal relative load only once the blocking is gone.",
                    PublishedClaim.NO_FIGURE,
                    facts -> MachineClaim.judge(facts.study)),
            row(
                    "W1",
                    PublishedServers.THESIS,
                    "Most of the latency is the network's (over 50 %), about 30 % service, about 3 % waiting.",
                    "over 50 %, about 30 %, about 3 %",
                    facts -> WorkloadClaims.shares(facts.study)),
            row(
                    "W2",
                    PublishedServers.THESIS,
                    "The 95th, 99th and 99.9th percentiles are 2.5, 4.1 and 7.9 times the median.",
                    "2.5, 4.1 and 7.9 times",
                    facts -> WorkloadClaims.tail(facts.study)));

    /** Every claim of runs and studies, in the order of the documents. */
    public static final List<PublishedClaim<?, ?>> ALL = Stream.<PublishedClaim<?, ?>>concat(
                    Claims.ROWS.stream(), ROWS.stream())
            .toList();

    private StudyClaims() {}

    /**
     * What the claims are judged by.
     *
     * @param study only cells that are judged
     * @param trials of each cell
     * @param stableStorage whether the log was forced
     */
    record Facts(StudyCells study, int trials, boolean stableStorage) {
        private ServerClaims servers() {
            return new ServerClaims(study);
        }
    }

    private static PublishedClaim<Facts, Facts> row(
            String id, String source, String text, String published, Function<Facts, Finding> rule) {
        return new PublishedClaim<>(
                id,
                source,
                text,
                published,
                NO_UNIT,
                new Subjects<>("the study", List::of, facts -> new Subject(null, facts.stableStorage), null),
                StudyClaims::severalTrials,
                (facts, all) -> rule.apply(facts));
    }

    /**
     * All claims, R1 first.
     *
     * @param trials of each cell
     */
    public static List<Claim> judge(StudyCells study, int trials) {
        Facts facts = new Facts(study.judged(), trials, study.isForced());
        return ROWS.stream().flatMap(row -> row.judge(facts).stream()).toList();
    }

    /** One trial does not know how the next start of the same processes would differ, so it decides nothing. */
    private static Finding severalTrials(Facts facts, Finding finding) {
        boolean decided = finding.verdict() == Verdict.HOLDS || finding.verdict() == Verdict.FAILS;
        return facts.trials > 1 || !decided
                ? finding
                : Finding.of(
                        Verdict.UNDECIDED,
                        finding.detail() + " One trial decides nothing (by itself it would say: "
                                + finding.verdict().label() + "); measure with --trials 5.");
    }

    /** A claim about cells that the study lacks. */
    static Finding missing(String what) {
        return Finding.of(
                Verdict.NOT_TESTABLE,
                "It takes " + what + ", in cells that are judged (see steady), which this study does not have.");
    }
}
