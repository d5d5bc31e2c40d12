/**
 * ZooKeeper and bookies on this machine, for development, labs and tests: each in a process of its own ({@code plog bookies}), or
 * in the calling one.
 */
@NullMarked
package io.plog.log.bookkeeper.local;

import org.jspecify.annotations.NullMarked;
