package io.plog.app.cli;

import io.plog.results.compare.Gate;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The conditions that fail a command with {@link ExitCode#CHECK_FAILED}. Set by picocli. */
public final class GateOptions {
    @Option(
            names = "--fail-if",
            paramLabel = "GATE",
            description =
                    "Exit with 4 if this condition holds, as 'endToEnd.p99 > 1.1x' or 'log.p99@force=fdatasync,size=512 >"
                            + " 10ms'; repeatable. A dimension that is not named may be anything. It fails only if the figure's"
                            + " whole 95 %% interval is beyond the limit.")
    private List<String> gates = new ArrayList<>();

    @Option(names = "--strict", description = "A gate that is undecided counts as failed.")
    private boolean strict;

    /**
     * The gates; none if none are asked for.
     *
     * @throws IllegalArgumentException if one is not understood
     */
    public List<Gate> gates() {
        try {
            return gates.stream().map(Gate::parse).toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--fail-if: " + e.getMessage(), e);
        }
    }

    /** Whether an undecided gate counts as failed. */
    public boolean strict() {
        return strict;
    }
}
