/**
 * What a server is told before it starts, checked when it is made. Describes and builds nothing. For everybody, the commands of
 * the program included.
 */
@NullMarked
package io.plog.server.options;

import org.jspecify.annotations.NullMarked;
