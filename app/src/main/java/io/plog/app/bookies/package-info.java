/** {@code plog bookies}: ZooKeeper and bookies on this machine, for trials of the replicated log. */
@NullMarked
package io.plog.app.bookies;

import org.jspecify.annotations.NullMarked;
