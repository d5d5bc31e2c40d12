/**
 * What a machine is and what it did meanwhile, as far as Linux and the JVM tell: processors, memory, file systems, disks,
 * control groups. The only reader of {@code /proc} and {@code /sys}. For server, measurements and commands; uses the JDK alone.
 */
@NullMarked
package io.plog.host;

import org.jspecify.annotations.NullMarked;
