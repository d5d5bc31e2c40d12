/** What the commands share: how failures are worded, exit codes, addresses, times, progress, other processes. */
@NullMarked
package io.plog.app.cli;

import org.jspecify.annotations.NullMarked;
