/**
 * A target at work: its state behind its log, with recovery, checkpoints, the room on the disk and the wait that is to be
 * expected. Knows no connections. For {@code connection}, the ports and the server.
 */
@NullMarked
package io.plog.server.targets;

import org.jspecify.annotations.NullMarked;
