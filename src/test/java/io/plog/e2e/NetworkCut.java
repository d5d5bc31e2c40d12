package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Takes packets away that a server sends, told by the group that its process runs in. Nothing is refused or reset, as on a cable that
 * was pulled. Needs root and nftables.
 */
final class NetworkCut {
    private final String table = "plog_" + ProcessHandle.current().pid();

    /** Whether it can be had here. */
    static boolean isPossible() {
        NetworkCut cut = new NetworkCut();
        try {
            if (!cut.run("add table inet " + cut.table)) {
                return false;
            }
            cut.heal();
            return canChangeGroup();
        } catch (IOException | InterruptedException e) {
            return false;
        }
    }

    private static boolean canChangeGroup() throws IOException, InterruptedException {
        return new ProcessBuilder("setpriv", "--regid", "5000", "--clear-groups", "--", "true")
                        .redirectErrorStream(true)
                        .start()
                        .waitFor()
                == 0;
    }

    /**
     * Cuts what this group sends.
     *
     * @param which of its packets, as nftables says it, such as {@code tcp dport 2181}; all if empty
     */
    void cut(int group, String which) throws IOException, InterruptedException {
        must("add table inet " + table);
        must("add chain inet " + table + " out { type filter hook output priority 0; }");
        must("add rule inet " + table + " out meta skgid " + group + " " + which + " drop");
    }

    /** Lets everything pass again. */
    void heal() throws IOException, InterruptedException {
        must("add table inet " + table);
        must("delete table inet " + table);
    }

    private void must(String command) throws IOException, InterruptedException {
        assertThat(run(command)).as("nft %s", command).isTrue();
    }

    private boolean run(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of("nft", command))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        if (process.exitValue() != 0) {
            System.out.println("nft " + command + ": " + output);
        }
        return process.exitValue() == 0;
    }
}
