/** {@code plog demo}: the whole experiment in one go. */
@NullMarked
package io.plog.app.demo;

import org.jspecify.annotations.NullMarked;
