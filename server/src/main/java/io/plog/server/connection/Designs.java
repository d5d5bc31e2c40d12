package io.plog.server.connection;

import io.plog.server.net.LoopAtDisk;
import io.plog.server.options.DesignOption;

/** Makes the design that a server is told to have. */
public final class Designs {
    private Designs() {}

    /**
     * A design for one server.
     *
     * @param atDisk shared with its event loops; used by {@link DesignOption.Kind#ADAPTIVE} only
     */
    public static ServerDesign of(DesignOption option, LoopAtDisk atDisk) {
        return switch (option.kind()) {
            case ADAPTIVE -> new AdaptiveDesign(atDisk);
            case DEDICATED -> new DedicatedDesign();
            case INLINE -> new InlineDesign();
            case TURN -> new TurnDesign();
            case THREADS -> new ThreadsDesign(option.threads());
            case THREADS_SHARED -> new SharedThreadsDesign(option.threads());
        };
    }
}
