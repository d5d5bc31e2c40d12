package io.plog.server.state;

/** A client's number for a request. */
public record RequestId(long client, long number) {}
