/**
 * The admin port: metrics, health, counters, events and checkpoints over HTTP, on a thread of its own. For the server.
 */
@NullMarked
package io.plog.server.admin;

import org.jspecify.annotations.NullMarked;
