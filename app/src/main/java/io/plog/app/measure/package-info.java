/** {@code plog measure}: every size on every target of a server, in trials of fresh processes. */
@NullMarked
package io.plog.app.measure;

import org.jspecify.annotations.NullMarked;
