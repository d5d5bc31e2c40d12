package io.plog.server.connection;

import io.plog.server.options.DesignOption;

/** Makes the design that a server is told to have. */
public final class Designs {
    private Designs() {}

    /** A design for one server. */
    public static ServerDesign of(DesignOption option) {
        return switch (option.kind()) {
            case ADAPTIVE -> new AdaptiveDesign();
            case DEDICATED -> new DedicatedDesign();
            case INLINE -> new InlineDesign();
            case TURN -> new TurnDesign();
            case THREADS -> new ThreadsDesign(option.threads());
            case THREADS_SHARED -> new SharedThreadsDesign(option.threads());
        };
    }
}
