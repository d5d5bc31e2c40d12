/**
 * What interrupted a process and its machine while requests were measured: server and client record it alike, and the
 * server sends it in a form that the client reads. Uses the JDK alone.
 */
@NullMarked
package io.plog.host.events;

import org.jspecify.annotations.NullMarked;
