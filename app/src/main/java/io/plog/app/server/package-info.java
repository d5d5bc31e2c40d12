/** {@code plog server}: options, start, and end of a server. */
@NullMarked
package io.plog.app.server;

import org.jspecify.annotations.NullMarked;
