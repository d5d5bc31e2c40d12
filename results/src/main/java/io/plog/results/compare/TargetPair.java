package io.plog.results.compare;

import io.plog.measure.samples.RunInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Two targets whose cells are compared.
 *
 * @param a of the baseline
 * @param b of the run
 */
public record TargetPair(RunInfo.Target a, RunInfo.Target b) {
    /** The names of two targets, or the paths of two directories. */
    public record Names(String a, String b) {
        /** One name if both are equal, else both names. */
        String words() {
            return a.equals(b) ? a : b + " by " + a;
        }
    }

    /** Those of the same name in both, in the first one's order; where each has one alone, these. */
    static List<Names> ofSameName(RunInfo a, RunInfo b) {
        List<Names> same = a.plan().targets().stream()
                .filter(b.plan().targets()::contains)
                .map(name -> new Names(name, name))
                .toList();
        boolean lone = a.plan().targets().size() == 1 && b.plan().targets().size() == 1;
        return same.isEmpty() && lone
                ? List.of(
                        new Names(a.plan().targets().get(0), b.plan().targets().get(0)))
                : same;
    }

    /**
     * The targets of these names. Of a directory's cells the partner has the same other dimensions, and only those are compared
     * whose appends each have a force of their own.
     *
     * @throws IllegalArgumentException if a run has no target of the name
     */
    static List<TargetPair> of(RunInfo a, RunInfo b, Names names) {
        List<RunInfo.Target> ofA = named(a, names.a());
        List<TargetPair> pairs = new ArrayList<>();
        for (RunInfo.Target target : named(b, names.b())) {
            if (target.dimensions().getOrDefault(RunInfo.Target.APPENDS, "1").equals("1")) {
                ofA.stream()
                        .filter(other -> other.dimensions().equals(target.dimensions())
                                && (target.dimensions().isEmpty()
                                        || other.force().equals(target.force())))
                        .forEach(other -> pairs.add(new TargetPair(other, target)));
            }
        }
        return pairs;
    }

    private static List<RunInfo.Target> named(RunInfo info, String name) {
        List<RunInfo.Target> found = info.plan().targets().contains(name)
                ? info.targets().stream().filter(t -> t.name().equals(name)).toList()
                : List.of();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("target " + name + " was not measured in the run of " + info.startedAt()
                    + "; expected one of "
                    + info.plan().targets().stream().sorted().collect(Collectors.joining(", ")));
        }
        return found;
    }

    Names names() {
        return new Names(a.name(), b.name());
    }

    /** What distinguishes it from other pairs of the same names. */
    Map<String, String> dimensions() {
        Map<String, String> dimensions = new LinkedHashMap<>();
        if (!b.dimensions().isEmpty()) {
            dimensions.put("force", b.force());
            dimensions.putAll(b.dimensions());
        }
        return dimensions;
    }
}
