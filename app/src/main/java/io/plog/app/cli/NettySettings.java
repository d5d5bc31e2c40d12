package io.plog.app.cli;

/** How this program uses Netty. To be applied before anything else is done, in each of its processes. */
public final class NettySettings {
    private static final String LEAK_SEARCH = "io.netty.leakDetection.level";

    private NettySettings() {}

    /**
     * Ends Netty's search for buffers that are not given back, unless the user asks for it. It keeps the stack of one allocation
     * in 128: a server of 256 connections answers 12 % more requests without. The tests search all.
     */
    public static void apply() {
        System.getProperties().putIfAbsent(LEAK_SEARCH, "disabled");
    }
}
