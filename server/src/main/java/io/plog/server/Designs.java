package io.plog.server;

/** Makes the design that a server is told to have. */
final class Designs {
    private Designs() {}

    /** A design for one server. */
    static Design of(DesignOption option) {
        return switch (option.kind()) {
            case DEDICATED -> new DedicatedDesign();
            case INLINE -> new InlineDesign();
            case THREADS -> new ThreadsDesign(option.threads());
            case THREADS_SHARED -> new SharedThreadsDesign(option.threads());
        };
    }
}
