package io.plog.results.verdict;

import io.plog.results.model.Claim;
import io.plog.results.table.Table;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A published claim and how it is judged: a row of the list that results, page, text, schemas and documents read ({@link
 * Claims#ROWS} and the study's). What was published stands in {@code claims.tsv}. Immutable.
 *
 * @param <F> the facts that it is judged by
 * @param id unique among all claims
 * @param source where it was published
 * @param text the claim in a sentence
 * @param published the figure that was published; says so if none was
 * @param unit of the estimate that decides
 * @param rule decides, for each subject once; {@code docs/measurement.md} says the same in words
 */
public record PublishedClaim<F>(
        String id, String source, String text, String published, String unit, Function<F, List<Judged>> rule) {
    private static final Table PUBLISHED = Table.ofResource(PublishedClaim.class, "claims", 1);

    /**
     * What was found of one subject.
     *
     * @param target null if it is not one target
     * @param stableStorage whether its acknowledgements mean stable storage
     */
    public record Judged(@Nullable String target, boolean stableStorage, Finding finding) {}

    /**
     * That of the table with this id.
     *
     * @throws java.util.NoSuchElementException if the table has none
     */
    public static <F> PublishedClaim<F> of(String id, Function<F, List<Judged>> rule) {
        List<String> row = PUBLISHED.rows().stream()
                .map(values -> values.stream().map(String::valueOf).toList())
                .filter(values -> values.get(0).equals(id))
                .findFirst()
                .orElseThrow();
        return new PublishedClaim<>(id, row.get(1), row.get(4), row.get(2), row.get(3), rule);
    }

    /** One result for each subject, in their order. */
    public List<Claim> judge(F facts) {
        return rule.apply(facts).stream().map(this::result).toList();
    }

    private Claim result(Judged judged) {
        Finding finding = judged.finding;
        Estimate estimate = finding.estimate();
        return new Claim(
                id,
                judged.target,
                source,
                text,
                published,
                unit,
                finding.verdict(),
                judged.stableStorage,
                finding.detail(),
                estimate == null ? null : estimate.map(value -> Units.rounded(value, 5)));
    }
}
