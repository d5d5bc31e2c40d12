package io.plog.log.bookkeeper;

import java.util.concurrent.atomic.LongAdder;

/** What a campaign did, counted on all its threads. */
final class SimulatedCounts {
    final LongAdder histories = new LongAdder();
    final LongAdder openings = new LongAdder();
    final LongAdder notOpened = new LongAdder();
    final LongAdder notRead = new LongAdder();
    final LongAdder takeovers = new LongAdder();
    final LongAdder races = new LongAdder();
    final LongAdder kills = new LongAdder();
    final LongAdder closes = new LongAdder();
    final LongAdder notClosed = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder bookieCrashes = new LongAdder();
    final LongAdder powerCuts = new LongAdder();
    final LongAdder lostAnswers = new LongAdder();
    final LongAdder olderData = new LongAdder();
    final LongAdder fences = new LongAdder();
    final LongAdder acknowledged = new LongAdder();
    final LongAdder afterTakeover = new LongAdder();
    final LongAdder reopenings = new LongAdder();
    final LongAdder reportedReplaced = new LongAdder();
    final LongAdder changes = new LongAdder();
    final LongAdder checkpoints = new LongAdder();
    final LongAdder changedStates = new LongAdder();
    final LongAdder truncations = new LongAdder();
    final LongAdder followed = new LongAdder();
    final LongAdder followBeginnings = new LongAdder();
    final LongAdder followedTakeovers = new LongAdder();
    final LongAdder followedInVain = new LongAdder();

    @Override
    public String toString() {
        return histories + " histories: " + openings + " openings, " + takeovers + " takeovers of a living server, "
                + races + " in the middle of its operation, " + notOpened + " openings refused, " + notRead
                + " logs not readable at the time, " + kills + " kills, " + closes + " closes, " + notClosed
                + " failed closes, " + bookieCrashes + " crashes of a bookie, " + powerCuts + " of all, "
                + lostAnswers + " times without answers of ZooKeeper, "
                + olderData + " times refused with older data of ZooKeeper, "
                + fences + " ledgers closed by auto-recovery, "
                + acknowledged + " records acknowledged, " + afterTakeover + " given to replaced servers, "
                + reportedReplaced
                + " reported that they were, " + reopenings + " failed logs opened again, " + changes
                + " changes of ledger, " + checkpoints + " checkpoints, " + changedStates
                + " states that changed while they were saved, " + truncations + " prefixes dropped, "
                + followed + " records followed from " + followBeginnings + " beginnings, of use to "
                + followedTakeovers + " openings and of none to " + followedInVain + ", "
                + failures + " operations failed";
    }
}
