package io.plog.results.compare;

import io.plog.host.ClientFacts;
import io.plog.measure.plan.Directories;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Plan;
import io.plog.measure.samples.RunInfo;
import io.plog.results.model.PlannedFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What differs between two runs besides their figures. Other work or another load makes figures incomparable; another machine, disk
 * or version may be the very thing that is compared, so it is only reported.
 */
final class Comparability {
    private static final String NOTHING = "unknown";

    /** Facts that say what machine and what program it was, not how it felt at the moment. */
    private static final List<String> MACHINE_FACTS = List.of(
            "plog",
            "os",
            "arch",
            "cpu",
            "cores",
            "memory",
            "cpuGovernor",
            "cgroupCpu",
            "cgroupMemory",
            "jdk",
            "jvm",
            "jvmFlags",
            "gc",
            ClientFacts.NETWORK,
            "transport",
            "tls",
            "eventLoops");

    private static final List<String> DIRECTORY_FACTS =
            List.of("fileSystem", "mountOptions", "disk", "model", "rotational", "writeCache", "fua", "scheduler");

    private final List<Assessment.Difference> found = new ArrayList<>();

    private Comparability() {}

    /** Everything that differs, what forbids a comparison first. */
    static List<Assessment.Difference> of(RunInfo a, RunInfo b, List<TargetPair> pairs) {
        Comparability differences = new Comparability();
        differences.plans(a.plan(), b.plan());
        Map<TargetPair.Names, TargetPair> named = new LinkedHashMap<>();
        pairs.forEach(pair -> named.putIfAbsent(pair.names(), pair));
        named.forEach((names, pair) -> differences.targets(names.words(), pair.a(), pair.b()));
        differences.facts("client's ", MACHINE_FACTS, a.client(), b.client());
        differences.facts("server's ", MACHINE_FACTS, a.server(), b.server());
        List<Assessment.Difference> sorted = new ArrayList<>(differences.found.stream()
                .filter(Assessment.Difference::forbids)
                .toList());
        differences.found.stream().filter(d -> !d.forbids()).forEach(sorted::add);
        return List.copyOf(sorted);
    }

    /** What must be the same of two runs whose figures are compared, besides their targets. */
    static Map<String, Object> work(Plan plan) {
        Map<String, Object> work = new LinkedHashMap<>();
        work.put("subject", plan.getClass().getSimpleName());
        if (!(plan instanceof Directories)) { // appends of one size do not depend on which others there are
            work.put("size mix", sizes(plan));
        }
        if (plan instanceof Grid grid) {
            work.put("connections", grid.connections());
            work.put("rate", grid.ratePerSecond());
        } else if (plan instanceof Load load) {
            work.put("load", load.loop());
            work.put("mix", PlannedFacts.mix(load.mix()));
            work.put("share of logged requests", load.loggedShare());
        }
        return work;
    }

    private void plans(Plan a, Plan b) {
        Map<String, Object> ofB = work(b);
        work(a).forEach((what, value) -> check(what, value, ofB.get(what), true));
        if (a instanceof Directories) {
            check("size mix", sizes(a), sizes(b), false);
        }
        check("targets", new LinkedHashSet<>(a.targets()), new LinkedHashSet<>(b.targets()), false);
        check("trials", a.trials(), b.trials(), false);
    }

    private static List<Integer> sizes(Plan plan) {
        return plan.sizesBytes().stream().distinct().sorted().toList();
    }

    private void targets(String words, RunInfo.Target a, RunInfo.Target b) {
        String of = " of target " + words;
        check("way of forcing" + of, a.force(), b.force(), true);
        check("service" + of, a.facts().get("service"), b.facts().get("service"), true);
        facts(words + "'s ", DIRECTORY_FACTS, a.facts(), b.facts());
    }

    /** Facts that both report; what only one version of plog reports is no difference of the machines. */
    private void facts(String whose, List<String> names, Map<String, String> a, Map<String, String> b) {
        Set<String> both = new LinkedHashSet<>(names);
        both.retainAll(a.keySet());
        both.retainAll(b.keySet());
        for (String name : both) {
            check(whose + name, a.get(name), b.get(name), false);
        }
    }

    private void check(String what, @Nullable Object a, @Nullable Object b, boolean forbids) {
        String ofA = a == null ? NOTHING : a.toString();
        String ofB = b == null ? NOTHING : b.toString();
        if (!ofA.equals(ofB) && !(forbids && (a == null || b == null))) {
            found.add(new Assessment.Difference(what, ofA, ofB, forbids));
        }
    }
}
