/** Meters of an embedded log for Micrometer, and its health for whatever asks for it. */
@NullMarked
package io.plog.log.micrometer;

import org.jspecify.annotations.NullMarked;
