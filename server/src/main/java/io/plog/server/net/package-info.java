/**
 * Sockets and event loops, whatever is spoken on them: addresses, transport, buffers, how a loop waits, what happens when nobody
 * can be accepted, and how a connection is closed so that its client can read why. For the ports and the server.
 */
@NullMarked
package io.plog.server.net;

import org.jspecify.annotations.NullMarked;
