/**
 * What client and server agree on: frames, limits, statuses, the transformation. {@code docs/protocol.md} is the
 * specification; this package is its only implementation here and carries no machinery of either side.
 */
@NullMarked
package io.plog.protocol;

import org.jspecify.annotations.NullMarked;
