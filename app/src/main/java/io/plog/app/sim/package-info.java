/** {@code plog sim}: what can be done to a simulated disk. */
@NullMarked
package io.plog.app.sim;

import org.jspecify.annotations.NullMarked;
