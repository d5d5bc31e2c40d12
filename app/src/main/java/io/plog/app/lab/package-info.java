/** {@code plog lab}: what the labs of the course need besides the other commands. */
@NullMarked
package io.plog.app.lab;

import org.jspecify.annotations.NullMarked;
