package io.plog.results.verdict;

import io.plog.results.model.Claim;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.table.Table;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A published claim and how it is judged: a row of the list that results, page, text, schemas and documents read ({@link
 * Claims#ROWS} and the study's). What was published stands in {@code claims.tsv}. Immutable.
 *
 * @param <F> the facts that it is judged by
 * @param <S> what it is about
 * @param id unique among all claims
 * @param source where it was published
 * @param text the claim in a sentence
 * @param published the figure that was published; says so if none was
 * @param unit of the estimate that decides
 * @param about what it is judged for, once each
 * @param condition what becomes of a finding if the whole run or study was not made as the claim supposes
 * @param rule decides; {@code docs/measurement.md} says the same in words
 */
public record PublishedClaim<F, S>(
        String id,
        String source,
        String text,
        String published,
        String unit,
        Subjects<F, S> about,
        BiFunction<F, Finding, Finding> condition,
        BiFunction<F, S, Finding> rule) {
    private static final Table PUBLISHED = Table.ofResource(PublishedClaim.class, "claims", 1);

    private static final Subject NONE = new Subject(null, false);

    /**
     * What a claim is judged for.
     *
     * @param all none of them means that the claim cannot be tested
     * @param subject what the result says of one of them
     * @param none what is said if there are none; null if the claim is then left out
     */
    public record Subjects<F, S>(
            Function<F, List<S>> all,
            Function<S, Subject> subject,
            @Nullable Function<F, Finding> none) {}

    /**
     * What the result says of one subject.
     *
     * @param target null if it is not one target
     * @param stableStorage whether its acknowledgements mean stable storage
     */
    public record Subject(@Nullable String target, boolean stableStorage) {}

    /**
     * That of the table with this id.
     *
     * @throws java.util.NoSuchElementException if the table has none
     */
    public static <F, S> PublishedClaim<F, S> of(
            String id,
            Subjects<F, S> about,
            BiFunction<F, Finding, Finding> condition,
            BiFunction<F, S, Finding> rule) {
        List<String> row = PUBLISHED.rows().stream()
                .map(values -> values.stream().map(String::valueOf).toList())
                .filter(values -> values.get(0).equals(id))
                .findFirst()
                .orElseThrow();
        return new PublishedClaim<>(id, row.get(1), row.get(4), row.get(2), row.get(3), about, condition, rule);
    }

    /** One result for each subject, in their order. */
    public List<Claim> judge(F facts) {
        List<S> subjects = about.all.apply(facts);
        if (subjects.isEmpty()) {
            return about.none == null ? List.of() : List.of(result(facts, NONE, about.none.apply(facts)));
        }
        return subjects.stream()
                .map(each -> result(facts, about.subject.apply(each), rule.apply(facts, each)))
                .toList();
    }

    private Claim result(F facts, Subject subject, Finding found) {
        boolean tested = found.verdict() != Verdict.NOT_TESTABLE;
        Finding finding = tested ? condition.apply(facts, found) : found;
        Estimate estimate = finding.estimate();
        return new Claim(
                id,
                subject.target,
                source,
                text,
                published,
                unit,
                finding.verdict(),
                subject.stableStorage,
                finding.detail(),
                estimate == null ? null : estimate.map(value -> Units.rounded(value, 5)));
    }
}
