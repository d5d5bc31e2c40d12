package io.plog.results.study;

import io.plog.results.model.Claim;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.verdict.Claims;
import io.plog.results.verdict.Finding;
import io.plog.results.verdict.PublishedClaim;
import io.plog.results.verdict.PublishedClaim.Judged;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The published findings that a study is held against: R1 to R7 of Ruan and Pai, W1 and W2 of Wu, a row each. The rules in words are
 * in {@code docs/measurement.md}: an interval decides, and where it does not, nothing is decided.
 */
public final class StudyClaims {
    /** All of them, in the order in which they are judged, shown and documented. */
    public static final List<PublishedClaim<Facts>> ROWS = List.of(
            row("R1", facts -> facts.servers().blockingDominates()),
            row("R2", facts -> facts.servers().capacityOrder()),
            row("R3", facts -> facts.servers().inversion()),
            row("R4", facts -> facts.servers().moreProcesses()),
            row("R5", facts -> facts.servers().bursts()),
            row("R6", facts -> ServerClaims.fasterMachine(facts.study)),
            row("R7", facts -> facts.servers().blockingDominatesMedians()),
            row("W1", facts -> WorkloadClaims.shares(facts.study)),
            row("W2", facts -> WorkloadClaims.tail(facts.study)));

    /** Every claim of runs and studies, in the order of the documents. */
    public static final List<PublishedClaim<?>> ALL = Stream.<PublishedClaim<?>>concat(
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

    private static PublishedClaim<Facts> row(String id, Function<Facts, Finding> rule) {
        return PublishedClaim.of(
                id, facts -> List.of(new Judged(null, facts.stableStorage, severalTrials(facts, rule.apply(facts)))));
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
        if (finding.verdict() == Verdict.UNDECIDED) {
            return finding.and(" More trials (--trials) would narrow the intervals.");
        }
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
