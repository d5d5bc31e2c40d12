/** {@code plog log}: looks into a log without a server, and repairs it. */
@NullMarked
package io.plog.app.log;

import org.jspecify.annotations.NullMarked;
