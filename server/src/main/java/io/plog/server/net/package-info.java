/**
 * Sockets and event loops, independent of the protocol: addresses, transport, buffers, how a loop waits, what happens when
 * accepting fails, and how a connection is closed so that its client can read why. For the ports and the server.
 */
@NullMarked
package io.plog.server.net;

import org.jspecify.annotations.NullMarked;
