@NullMarked
package io.plog.server.cli;

import org.jspecify.annotations.NullMarked;
