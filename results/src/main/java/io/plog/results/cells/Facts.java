package io.plog.results.cells;

import io.plog.measure.samples.ForceLabel;
import io.plog.measure.samples.RunInfo;
import java.util.Map;
import java.util.Optional;

/** The questions that claims and checks ask of the facts about client, server and target. Stateless. */
public final class Facts {
    private Facts() {}

    /** Whether an acknowledgement of this target means that the record is on stable storage. */
    public static boolean stableStorage(RunInfo.Target target) {
        return isForced(target) && !inMemory(target);
    }

    /** Whether the target forces; {@code off} and {@code write} don't. */
    public static boolean isForced(RunInfo.Target target) {
        return target.forceLabel().forces();
    }

    /** Whether the target logs nothing. */
    public static boolean isOff(RunInfo.Target target) {
        return target.forceLabel().equals(ForceLabel.OFF);
    }

    /** Whether the target's directory lies in memory. */
    public static boolean inMemory(RunInfo.Target target) {
        return new DiskFacts(target.facts()).inMemory();
    }

    /** Whether the kernel calls the target's device rotational; empty if the server could not say. */
    public static Optional<Boolean> rotational(RunInfo.Target target) {
        return switch (target.facts().getOrDefault("rotational", "")) {
            case "yes" -> Optional.of(true);
            case "no" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /**
     * Whether the device looks like one that a hypervisor or another layer presents: then what the kernel says of
     * turning need not be so of what lies beneath.
     *
     * @param disk a target's facts about its directory
     */
    public static boolean looksVirtual(Map<String, String> disk) {
        return new DiskFacts(disk).isVirtual();
    }

    /** Whether the server's event loop blocks in the force of a log, as the design {@code inline} does. */
    public static boolean loopBlocks(Map<String, String> server) {
        return "inline".equals(server.get("design"));
    }

    /** Whether client and server talked through the machine's own loopback; empty if it is not known. */
    public static Optional<Boolean> loopback(RunInfo info) {
        return switch (info.client().getOrDefault("network", "")) {
            case "loopback" -> Optional.of(true);
            case "remote" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}
