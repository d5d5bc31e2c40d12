package io.plog.server.service;

import io.netty.buffer.ByteBuf;

/** Answers with zeros, and throws at some requests: unless a test says which, at payloads of five bytes. */
public class BreakingService extends TestService {
    private final boolean stateless;

    public BreakingService(boolean stateless) {
        this.stateless = stateless;
    }

    @Override
    public String name() {
        return "breaking";
    }

    @Override
    public boolean isStateless() {
        return stateless;
    }

    /** Whether this request makes it throw. */
    protected boolean breaks(ByteBuf request, int from, int length) {
        return length == 5;
    }

    @Override
    public final void execute(ByteBuf request, int from, ByteBuf reply, int to, int length) {
        if (breaks(request, from, length)) {
            throw new IllegalStateException("half done");
        }
        super.execute(request, from, reply, to, length);
    }
}
