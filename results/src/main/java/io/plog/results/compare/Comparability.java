package io.plog.results.compare;

import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.RunPlan;
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
            "network",
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
        differences.plans(a.plan(), b.plan(), a.isOfDisks());
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

    /** Appends of one size do not depend on which others there are. */
    private void plans(RunPlan a, RunPlan b, boolean ofDisks) {
        check("size mix", sizes(a), sizes(b), !ofDisks);
        check("load model", a.loadModel(), b.loadModel(), true);
        check("connections", a.connections(), b.connections(), true);
        check("rate", a.ratePerSecond(), b.ratePerSecond(), true);
        check("load", load(a), load(b), true);
        check("targets", new LinkedHashSet<>(a.targets()), new LinkedHashSet<>(b.targets()), false);
        check("trials", a.trials(), b.trials(), false);
    }

    private static List<Integer> sizes(RunPlan plan) {
        return plan.sizesBytes().stream().distinct().sorted().toList();
    }

    /** What kind of load it was; for how long may differ. */
    private static String load(RunPlan plan) {
        return plan.load().stream()
                .map(load -> load.mode() + ", outstanding " + load.outstanding() + ", arrivals " + load.arrivals()
                        + ", requests per connection " + load.requestsPerConnection() + ", mix "
                        + PlannedFacts.mix(load)
                        + ", logged " + load.loggedShare())
                .findFirst()
                .orElse("one request at a time on each connection");
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
