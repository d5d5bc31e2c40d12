package io.plog.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Who tells facts of this machine: Linux in {@code /proc} and {@code /sys}, or, elsewhere and where these cannot be read, the JDK. A
 * fact that it does not tell is {@link LinuxFiles#UNKNOWN}; nothing fails. Stateless.
 */
interface FactSource {
    /** The one for this machine. */
    static FactSource current() {
        return Files.isReadable(Path.of("/proc/self/mountinfo")) ? new LinuxFactSource() : new PlainFactSource();
    }

    /** Host, processor, memory, and what limits them, by the names of {@link MachineFacts}. */
    Map<String, String> machine();

    /**
     * File system, mount and device, by the names of {@link DirectoryFacts}.
     *
     * @param real a path without links
     */
    Map<String, String> directory(Path real);
}
