/**
 * How a server is configured, checked when it is made. Describes and builds nothing. For everybody, the commands of
 * the program included.
 */
@NullMarked
package io.plog.server.options;

import org.jspecify.annotations.NullMarked;
