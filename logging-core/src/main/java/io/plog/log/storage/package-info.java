/**
 * The seam between a log and its disk: {@link io.plog.log.storage.Storage}, the ways of forcing, and the exceptions with which
 * everything above says what went wrong.
 */
@NullMarked
package io.plog.log.storage;

import org.jspecify.annotations.NullMarked;
