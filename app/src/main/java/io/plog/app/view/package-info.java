/** {@code plog view}: the page of results, served on loopback. */
@NullMarked
package io.plog.app.view;

import org.jspecify.annotations.NullMarked;
