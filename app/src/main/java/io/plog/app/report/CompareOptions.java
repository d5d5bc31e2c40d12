package io.plog.app.report;

import io.plog.app.cli.GateOptions;
import io.plog.app.cli.HelpGroups;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code plog report} that compare, judge and merge. */
final class CompareOptions {
    @Option(
            names = "--compare",
            order = HelpGroups.SENT,
            paramLabel = "A,B",
            split = ",",
            description = "Compare target B with target A: both of one run, or A of the first and B of the second.")
    @Nullable
    List<String> targets;

    @Option(
            names = "--baseline",
            order = HelpGroups.SENT,
            paramLabel = "RESULTS",
            description = "Compare with this run.")
    @Nullable
    Path baseline;

    @Mixin
    GateOptions gates;

    @Option(
            names = "--anyway",
            order = HelpGroups.ADVANCED,
            description = "Compare runs that are not comparable, with a warning.")
    boolean anyway;

    @Option(
            names = "--merge",
            order = HelpGroups.SENT,
            description =
                    "Merge the runs or loads of several clients that measured one server at the same time, or studies of several"
                            + " machines, as NAME=STUDY; needs --out.")
    boolean merge;

    /** Whether two sides are compared or gates are judged. */
    boolean assesses() {
        return targets != null || baseline != null || !gates.gates().isEmpty();
    }
}
