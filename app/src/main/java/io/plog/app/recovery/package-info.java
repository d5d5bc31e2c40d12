/** {@code plog recovery}. */
@NullMarked
package io.plog.app.recovery;

import org.jspecify.annotations.NullMarked;
