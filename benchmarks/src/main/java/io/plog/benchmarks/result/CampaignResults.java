package io.plog.benchmarks.result;

import java.util.List;
import java.util.Map;

/**
 * A whole campaign: what {@code results.json} holds.
 *
 * @param schemaVersion 1
 * @param environment where it ran
 * @param command how it was started
 * @param seed of the order of the contestants
 * @param rounds how many rounds counted
 * @param kinds what each contestant is compared as, in the order of the table
 * @param cells the cells, in the order of the table
 * @param measurements each round's values, without the warm-up
 * @param absent why a contestant did not take part, or stopped
 */
public record CampaignResults(
        int schemaVersion,
        Map<String, String> environment,
        String command,
        long seed,
        int rounds,
        Map<String, String> kinds,
        List<Cell> cells,
        List<Measurement> measurements,
        Map<String, String> absent) {}
