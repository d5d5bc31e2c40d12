/** Bookies with disks that tests know more of. */
@NullMarked
package io.plog.log.bookkeeper.local;

import org.jspecify.annotations.NullMarked;
