package io.plog.benchmarks;

import io.plog.host.DirectoryFacts;
import io.plog.host.MachineFacts;
import io.plog.host.events.MachineLoad;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where and when this runs, and who else uses the machine meanwhile. Stateless. */
final class Surroundings {
    private static final String UNKNOWN = "unknown";

    private Surroundings() {}

    /** Facts by name. */
    static Map<String, String> facts(Path directory) throws InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        facts.putAll(MachineFacts.collect());
        // Not what the jars name: Maven leaves a jar as it is, commit included, when only others have changed.
        String root = System.getProperty("benchmarks.root", ".");
        String changes = outputOf("git", "-C", root, "status", "--porcelain", "--untracked-files=no");
        facts.put(
                "commit",
                outputOf("git", "-C", root, "rev-parse", "--short=12", "HEAD") + (changes.isEmpty() ? "" : "+"));
        facts.putAll(DirectoryFacts.of(directory).asMap());
        facts.put("fio", outputOf("fio", "--version"));
        return facts;
    }

    private static String outputOf(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? text : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /**
     * The share of the processors that others had since a moment, 0 to 1. The kernel's work for the disk is in it.
     *
     * @param ownCpuNanos what those that are measured have used since then
     */
    static double othersShare(MachineLoad.Mark since, long ownCpuNanos, long nanos) {
        double own = (double) ownCpuNanos / nanos / Runtime.getRuntime().availableProcessors();
        return since.until(MachineLoad.mark())
                .map(load -> Math.max(0, load.busyShare() + load.stealShare() - own))
                .orElse(0.0);
    }
}
