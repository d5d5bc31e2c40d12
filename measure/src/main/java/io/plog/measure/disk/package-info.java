/** What each way of forcing costs in a directory. The only package of this module that uses the log, for its ways of forcing. */
@NullMarked
package io.plog.measure.disk;

import org.jspecify.annotations.NullMarked;
