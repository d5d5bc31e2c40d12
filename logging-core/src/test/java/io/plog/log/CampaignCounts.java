package io.plog.log;

import java.util.concurrent.atomic.LongAdder;

/** What a campaign did, counted on all its threads. */
final class CampaignCounts {
    final LongAdder histories = new LongAdder();
    final LongAdder recoveries = new LongAdder();
    final LongAdder crashes = new LongAdder();
    final LongAdder crashesInRecovery = new LongAdder();
    final LongAdder kills = new LongAdder();
    final LongAdder failedForces = new LongAdder();
    final LongAdder failedWrites = new LongAdder();
    final LongAdder failedOperations = new LongAdder();
    final LongAdder fullDisks = new LongAdder();
    final LongAdder refusals = new LongAdder();
    final LongAdder resumed = new LongAdder();
    final LongAdder fullDrops = new LongAdder();
    final LongAdder damaged = new LongAdder();
    final LongAdder usedAgain = new LongAdder();
    final LongAdder unread = new LongAdder();
    final LongAdder cutFiles = new LongAdder();
    final LongAdder lists = new LongAdder();
    final LongAdder changedStates = new LongAdder();
    final LongAdder cuts = new LongAdder();
    final LongAdder resets = new LongAdder();
    final LongAdder cells = new LongAdder();
    final LongAdder growing = new LongAdder();
    final LongAdder elsewhere = new LongAdder();
    final LongAdder sharing = new LongAdder();

    @Override
    public String toString() {
        return histories + " histories (" + growing + " with growing segments, " + elsewhere
                + " that do not begin at 1, " + sharing
                + " that share threads with another log): " + lists + " lists, " + recoveries + " openings, " + unread
                + " of them left covered records for later, " + crashes + " power cuts, " + crashesInRecovery
                + " crashes during recovery, " + kills + " kills, " + failedForces + " failed forces, " + failedWrites
                + " failed writes, " + failedOperations + " other failed operations, " + fullDisks + " full disks with "
                + refusals + " refusals, " + fullDrops + " drops without space and " + resumed
                + " times space came back, " + usedAgain
                + " segments used again, " + cuts + " cuts, " + resets + " logs emptied, " + cells + " cells, "
                + changedStates
                + " states that changed while they were saved, " + cutFiles
                + " files that a stranger cut, " + damaged + " verdicts of damage (force=write only)";
    }
}
