/**
 * What the server tells of itself: meters, counts, events and lines on standard error. Knows nothing of what it counts. For
 * every other package of the server.
 */
@NullMarked
package io.plog.server.monitoring;

import org.jspecify.annotations.NullMarked;
