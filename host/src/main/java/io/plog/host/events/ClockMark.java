package io.plog.host.events;

import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * An event of our own in the JVM's stream, that carries the time by {@link System#nanoTime}. Since the stream stamps it
 * with its own clock, it tells what that clock shows at a moment of ours: neither the wall clock's corrections nor the
 * drift of the processor's counter gets into the conversion. And when it arrives, all before it has arrived.
 */
@Name("plog.ClockMark")
@StackTrace(false)
final class ClockMark extends jdk.jfr.Event {
    /** When it began. */
    public long nanos;

    /** How much later it may have begun. */
    public long uncertaintyNanos;

    /** Counts the marks of a stream from 1. */
    public long number;
}
