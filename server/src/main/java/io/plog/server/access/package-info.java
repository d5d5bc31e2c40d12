/** Who may do what: {@link io.plog.server.access.Access} maps tokens and certificates to rights. */
@NullMarked
package io.plog.server.access;

import org.jspecify.annotations.NullMarked;
