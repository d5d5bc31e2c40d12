/** What the appends of {@code plog disk} say of a directory: distributions, the verdict, and both as text. */
@NullMarked
package io.plog.report.disk;

import org.jspecify.annotations.NullMarked;
