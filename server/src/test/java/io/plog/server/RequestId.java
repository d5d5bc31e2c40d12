package io.plog.server;

/** A client's number for a request. */
record RequestId(long client, long number) {}
