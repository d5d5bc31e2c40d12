/**
 * The RPC client that a service embeds: {@link io.plog.client.RetryingClient} over {@link io.plog.client.PlogClient}.
 * Netty and the protocol only.
 */
@NullMarked
package io.plog.client;

import org.jspecify.annotations.NullMarked;
