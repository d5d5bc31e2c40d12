/**
 * The log on several machines: its records are entries of Apache BookKeeper's ledgers, and the list of its ledgers is a node in
 * ZooKeeper. Start at {@link io.plog.log.bookkeeper.ReplicatedLog}, then {@code QuorumCommit} (the rule on one page).
 */
@NullMarked
package io.plog.log.bookkeeper;

import org.jspecify.annotations.NullMarked;
