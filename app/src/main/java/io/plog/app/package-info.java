/** The program {@code plog}: its entry point, the root command and the settings behind every option. */
@NullMarked
package io.plog.app;

import org.jspecify.annotations.NullMarked;
