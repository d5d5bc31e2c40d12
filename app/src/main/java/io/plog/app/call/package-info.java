/** {@code plog call}: one request, sent until it is acknowledged. */
@NullMarked
package io.plog.app.call;

import org.jspecify.annotations.NullMarked;
