package io.plog.server.connection;

import io.plog.server.net.LoopAtDisk;
import io.plog.server.options.DesignOption;

/** Makes the design of a server. */
public final class Designs {
    private Designs() {}

    /**
     * A design for one server.
     *
     * @param atDisk of its event loops; used by {@link DesignOption.Kind#DEDICATED} only
     */
    public static ServerDesign of(DesignOption option, LoopAtDisk atDisk) {
        return switch (option.kind()) {
            case DEDICATED -> new DedicatedDesign(atDisk);
            case INLINE -> new InlineDesign();
            // Each thread writes and forces its request itself, one after the other.
            case THREADS -> new ConnectionThreads(PendingRequest::appendAlone, option.threads());
            // One of those that wait, or a thread of the log, writes and forces for all of them.
            case THREADS_SHARED -> new ConnectionThreads(PendingRequest::appendShared, option.threads());
        };
    }
}
