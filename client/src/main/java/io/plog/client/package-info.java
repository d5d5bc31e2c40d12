/** The RPC client that a service embeds: {@link io.plog.client.RetryingClient}. Netty and the protocol only. */
@NullMarked
package io.plog.client;

import org.jspecify.annotations.NullMarked;
