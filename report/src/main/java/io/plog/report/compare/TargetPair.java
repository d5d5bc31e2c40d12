package io.plog.report.compare;

import io.plog.measure.samples.RunInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Two targets that are compared, by name.
 *
 * @param a of the baseline
 * @param b of the run; the same name unless others were asked for
 */
public record TargetPair(String a, String b) {

    /** Targets of the same name that both runs measured, in the first one's order. */
    static List<TargetPair> ofSameName(RunInfo a, RunInfo b) {
        return a.plan().targets().stream()
                .filter(b.plan().targets()::contains)
                .map(name -> new TargetPair(name, name))
                .toList();
    }

    /** One name if both are equal, else both names. */
    String words() {
        return a.equals(b) ? a : b + " by " + a;
    }

    static RunInfo.Target target(RunInfo info, String name) {
        Optional<RunInfo.Target> found = info.plan().targets().contains(name)
                ? info.targets().stream().filter(t -> t.name().equals(name)).findFirst()
                : Optional.empty();
        return found.orElseThrow(() -> new IllegalArgumentException(unknown(name, info)));
    }

    /** A sentence about a target that a run does not have. */
    static String unknown(String name, RunInfo info) {
        List<String> known = new ArrayList<>(info.plan().targets());
        return "target " + name + " was not measured in the run of " + info.startedAt() + "; expected one of "
                + known.stream().sorted().collect(Collectors.joining(", "));
    }
}
