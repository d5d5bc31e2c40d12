package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Takes packets away that a server sends, reported by the group that its process runs in, and then all that is sent on the same
 * connections. Nothing is refused or reset, as on a cable that was pulled. Needs root and nftables.
 */
public final class NetworkCut {
    private final String table = "plog_" + ProcessHandle.current().pid();
    private int cuts; // each has a mark of its own, since connections keep theirs

    /** Whether it can be had here. */
    public static boolean isPossible() {
        NetworkCut cut = new NetworkCut();
        try {
            if (!cut.run(cut.tracking())) {
                return false;
            }
            cut.close();
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

    /** Gets ready. The kernel has to know the connections from their beginning, or from now on, to mark them later. */
    public void prepare() throws IOException, InterruptedException {
        must(tracking());
    }

    private String tracking() {
        return "table inet " + table
                + " { chain tracking { type filter hook output priority -1; ct mark 0 accept; }; }";
    }

    /**
     * Cuts what this group sends. Its connections stay cut when a process has closed its end of them: such a socket is in no group any
     * more and still sends what it has, a ping of ZooKeeper's client, say, which would keep a session alive. So the first packet that is
     * taken away marks the connection.
     *
     * @param which of its packets, as nftables says it, such as {@code tcp dport 2181}; all if empty
     */
    public void cut(int group, String which) throws IOException, InterruptedException {
        int mark = ++cuts;
        must("table inet " + table + " { chain out { type filter hook output priority 0; meta skgid " + group + " "
                + which + " ct mark set " + mark + "; ct mark " + mark + " drop; }; }");
    }

    /** Lets everything pass again. */
    public void heal() throws IOException, InterruptedException {
        must("delete chain inet " + table + " out");
    }

    /** Leaves nothing behind. */
    public void close() throws IOException, InterruptedException {
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
