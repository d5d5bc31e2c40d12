/**
 * A durable, ordered, append-only log for services that must not forget a request they have answered.
 *
 * <p>Open one with {@link io.plog.log.MessageLog#open}; {@code docs/log-format.md} specifies the bytes it writes.
 */
@NullMarked
package io.plog.log;

import org.jspecify.annotations.NullMarked;
