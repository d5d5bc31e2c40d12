/**
 * TLS 1.3, as both sides use it: keys, certificates and whom to trust, from PEM files ({@link io.plog.protocol.tls.Tls}).
 */
@NullMarked
package io.plog.protocol.tls;

import org.jspecify.annotations.NullMarked;
