package io.plog.client.report;

import io.plog.client.load.RunInfo;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the claims and checks need to know of the facts that client and server tell about themselves. Names are
 * compared without case and punctuation, so that {@code file-system} and {@code fileSystem} are the same.
 */
final class Facts {
    private static final Set<String> MEMORY_FILE_SYSTEMS = Set.of("tmpfs", "ramfs", "devtmpfs");
    private static final Set<String> FILE_SYSTEM_NAMES = Set.of("filesystem", "filesystemtype", "fs", "fstype");
    private static final Set<String> YES = Set.of("1", "true", "yes", "rotational");
    private static final Set<String> NO = Set.of("0", "false", "no", "nonrotational");

    private Facts() {}

    /** Whether an acknowledgement of this target means that the record is on stable storage. */
    static boolean stableStorage(RunInfo.Target target) {
        return isForced(target) && !inMemory(target);
    }

    /** Whether the target forces; {@code off} and {@code write} don't. */
    static boolean isForced(RunInfo.Target target) {
        return !isOff(target) && !target.force().equals("write");
    }

    static boolean isOff(RunInfo.Target target) {
        return target.force().equals("off");
    }

    /** Whether the target's directory lies in memory. */
    static boolean inMemory(RunInfo.Target target) {
        return target.facts().entrySet().stream()
                .filter(fact -> FILE_SYSTEM_NAMES.contains(plain(fact.getKey())))
                .anyMatch(fact -> MEMORY_FILE_SYSTEMS.contains(
                        fact.getValue().strip().toLowerCase(Locale.ROOT).split("\\W", 2)[0]));
    }

    /** Whether the target's device turns; empty if the server couldn't tell. */
    static Optional<Boolean> rotational(RunInfo.Target target) {
        for (Map.Entry<String, String> fact : target.facts().entrySet()) {
            if (plain(fact.getKey()).equals("rotational")) {
                String value = plain(fact.getValue());
                if (YES.contains(value)) {
                    return Optional.of(true);
                }
                if (NO.contains(value)) {
                    return Optional.of(false);
                }
            }
        }
        return Optional.empty();
    }

    /** Whether client and server talked through the machine's own loopback; empty if nobody said. */
    static Optional<Boolean> loopback(RunInfo info) {
        for (Map.Entry<String, String> fact : info.client().entrySet()) {
            String name = plain(fact.getKey());
            String value = fact.getValue().strip().toLowerCase(Locale.ROOT);
            if (name.equals("loopback")) {
                return Optional.of(YES.contains(value));
            }
            if (name.equals("server") || name.equals("serveraddress")) {
                return Optional.of(value.contains("localhost") || value.contains("127.") || value.contains("::1"));
            }
        }
        return info.command().contains("demo") ? Optional.of(true) : Optional.empty();
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}
