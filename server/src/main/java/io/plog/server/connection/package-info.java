/**
 * Connections of the binary protocol and their requests: reading, limits, the designs that wait for the force of the log, and
 * replies. The HTTP port puts its requests through the same connections. For {@code http} and the server.
 */
@NullMarked
package io.plog.server.connection;

import org.jspecify.annotations.NullMarked;
