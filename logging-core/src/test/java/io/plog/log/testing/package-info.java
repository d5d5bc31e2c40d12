/**
 * A disk in memory that fails as real ones do, for tests of the log and of services that embed it. Published as the
 * {@code tests} artifact of logging-core; needs the JDK and logging-core only.
 */
@NullMarked
package io.plog.log.testing;

import org.jspecify.annotations.NullMarked;
