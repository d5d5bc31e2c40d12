/**
 * What interrupted a process and its machine while requests were measured: recorded alike by client and server, told by
 * the server in a form that the client reads. Uses the JDK alone.
 */
@NullMarked
package io.plog.protocol.events;

import org.jspecify.annotations.NullMarked;
