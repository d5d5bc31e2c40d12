/** {@code plog disk}: what each way of forcing costs in a directory, and whether that can be believed. */
@NullMarked
package io.plog.app.disk;

import org.jspecify.annotations.NullMarked;
