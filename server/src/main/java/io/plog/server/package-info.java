/**
 * The RPC server that logs each request durably before it answers it: {@link io.plog.server.PlogServer} starts, watches and
 * closes everything else. Other modules use this package, {@code options} and {@code service}; nothing here prints or exits:
 * the commands of the program do.
 */
@NullMarked
package io.plog.server;

import org.jspecify.annotations.NullMarked;
