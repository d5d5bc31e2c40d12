package io.plog.e2e.support;

import java.io.IOException;

/**
 * Takes packets away that a server sends, reported by the group that its process runs in, and then all that is sent on the same
 * connections. Nothing is refused or reset, as on a cable that was pulled. Needs root and nftables.
 */
public final class NetworkCut {
    private final String table = "plog_" + ProcessHandle.current().pid();
    private int cuts; // each has a mark of its own, since connections keep theirs

    /** Whether it can be had here. */
    public static boolean isPossible() throws IOException {
        NetworkCut cut = new NetworkCut();
        if (!SystemCommand.succeeds("nft", cut.tracking())) {
            return false;
        }
        cut.close();
        return SystemCommand.succeeds("setpriv", "--regid", "5000", "--clear-groups", "--", "true");
    }

    /** Gets ready. The kernel has to know the connections from their beginning, or from now on, to mark them later. */
    public void prepare() throws IOException {
        SystemCommand.run("nft", tracking());
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
    public void cut(int group, String which) throws IOException {
        int mark = ++cuts;
        SystemCommand.run(
                "nft",
                "table inet " + table + " { chain out { type filter hook output priority 0; meta skgid " + group + " "
                        + which + " ct mark set " + mark + "; ct mark " + mark + " drop; }; }");
    }

    /** Lets everything pass again. */
    public void heal() throws IOException {
        SystemCommand.run("nft", "delete chain inet " + table + " out");
    }

    /** Leaves nothing behind. */
    public void close() throws IOException {
        SystemCommand.run("nft", "add table inet " + table);
        SystemCommand.run("nft", "delete table inet " + table);
    }
}
