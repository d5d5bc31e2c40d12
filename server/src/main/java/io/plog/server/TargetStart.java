package io.plog.server;

import io.plog.host.DirectoryFacts;
import io.plog.server.options.TargetOptions;
import io.plog.server.targets.OpeningReport;
import org.jspecify.annotations.Nullable;

/**
 * What was found for a target when the server started.
 *
 * @param options the target
 * @param facts about its directory; {@code null} if it does not log
 * @param opening of its log; {@code null} if it does not log, or waits for its log
 */
public record TargetStart(
        TargetOptions options,
        @Nullable DirectoryFacts facts,
        @Nullable OpeningReport opening) {}
