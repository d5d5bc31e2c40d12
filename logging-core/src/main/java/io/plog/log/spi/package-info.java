/**
 * How a log is found by its address: a {@link io.plog.log.spi.DurableLogProvider} for each kind of log, as
 * {@link java.util.ServiceLoader} finds them. And how servers agree who holds a log and who waits:
 * {@link io.plog.log.spi.HolderElection}.
 */
@NullMarked
package io.plog.log.spi;

import org.jspecify.annotations.NullMarked;
