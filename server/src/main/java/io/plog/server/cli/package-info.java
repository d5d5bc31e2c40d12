/** The server's commands: they parse, call the library, print, and choose the exit code. */
@NullMarked
package io.plog.server.cli;

import org.jspecify.annotations.NullMarked;
