/**
 * Drives a server with a load: many connections, mixes of sizes and of logged and read-only requests, closed, open and partly
 * open loops. One thread does everything on the way of a request; {@code docs/measurement.md} defines the loops.
 */
@NullMarked
package io.plog.measure.load;

import org.jspecify.annotations.NullMarked;
