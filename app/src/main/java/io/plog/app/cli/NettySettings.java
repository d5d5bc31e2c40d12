package io.plog.app.cli;

/** How this program uses Netty. To be applied before anything else is done, in each of its processes. */
public final class NettySettings {
    private static final String LEAK_SEARCH = "io.netty.leakDetection.level";
    private static final String OWN_EVENTS = "io.netty.jfr.enabled";

    private NettySettings() {}

    /**
     * Ends Netty's search for buffers that are not given back, unless the user asks for it. It keeps the stack of one allocation
     * in 128: a server of 256 connections answers 12 % more requests without. The tests search all. Ends its events of buffers,
     * too: they start the JVM's flight recorder, which takes more than half of the time of a server's first request.
     */
    public static void apply() {
        System.getProperties().putIfAbsent(LEAK_SEARCH, "disabled");
        System.getProperties().putIfAbsent(OWN_EVENTS, "false");
    }
}
