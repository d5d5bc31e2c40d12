/** {@code plog report}: renders runs again, compares them, and holds them against gates. */
@NullMarked
package io.plog.app.report;

import org.jspecify.annotations.NullMarked;
