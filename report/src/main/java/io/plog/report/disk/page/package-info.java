/** The page of {@code plog disk}: verdict, distributions, and what else the disk's directory and machine are. */
@NullMarked
package io.plog.report.disk.page;

import org.jspecify.annotations.NullMarked;
