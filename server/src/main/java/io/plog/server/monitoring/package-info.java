/**
 * What the server reports about itself: meters, counts, events and lines on standard error. Knows no other part of the
 * server. For
 * every other package of the server.
 */
@NullMarked
package io.plog.server.monitoring;

import org.jspecify.annotations.NullMarked;
