/**
 * TLS 1.3 as both sides use it ({@link io.plog.protocol.security.Tls}), and files with secrets
 * ({@link io.plog.protocol.security.SecretFile}).
 */
@NullMarked
package io.plog.protocol.security;

import org.jspecify.annotations.NullMarked;
