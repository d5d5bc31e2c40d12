/** What tests of a log are written with, whatever kind of log it is, and what tests such tests. */
@NullMarked
package io.plog.log.testing;

import org.jspecify.annotations.NullMarked;
