/**
 * The RPC server that logs each request durably before it answers it. {@link io.plog.server.PlogServer} is the way in;
 * nothing here prints or exits: the commands of the program do.
 */
@NullMarked
package io.plog.server;

import org.jspecify.annotations.NullMarked;
