package io.plog.server;

import io.plog.host.DirectoryFacts;
import io.plog.log.RecoveryReport;
import io.plog.server.options.TargetOptions;
import io.plog.server.targets.ReplayReport;
import io.plog.server.targets.ReserveReport;
import org.jspecify.annotations.Nullable;

/**
 * What was found for a target when the server started.
 *
 * @param options the target
 * @param facts about its directory; {@code null} if it does not log
 * @param recovery what its log reported on opening; {@code null} if it does not log
 * @param replay what its state was made of; {@code null} if it does not log
 * @param reserve what its log had initialised ahead of time; {@code null} if it does not log
 */
public record TargetStart(
        TargetOptions options,
        @Nullable DirectoryFacts facts,
        @Nullable RecoveryReport recovery,
        @Nullable ReplayReport replay,
        @Nullable ReserveReport reserve) {}
