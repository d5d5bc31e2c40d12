/**
 * The HTTP port: a parser of requests, what callers may ask, and the bridge that makes frames of requests and responses of
 * replies. For the server, and for {@code admin}, which speaks the same HTTP.
 */
@NullMarked
package io.plog.server.http;

import org.jspecify.annotations.NullMarked;
