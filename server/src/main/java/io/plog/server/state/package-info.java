/**
 * A target's state: its service, what it answered to whom, which requests are in flight, and the form of all that in a
 * checkpoint. A function of the log; knows neither files nor channels. For {@code targets} and {@code connection}.
 */
@NullMarked
package io.plog.server.state;

import org.jspecify.annotations.NullMarked;
