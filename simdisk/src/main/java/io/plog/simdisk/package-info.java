/** Disks that fail, lose power and take time as real ones do, in memory: for tests of the log and of services that embed it. */
@NullMarked
package io.plog.simdisk;

import org.jspecify.annotations.NullMarked;
