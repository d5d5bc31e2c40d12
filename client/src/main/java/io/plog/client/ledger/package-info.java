/** The client's own record of what was acknowledged: written while it happens, read again for an audit. */
@NullMarked
package io.plog.client.ledger;

import org.jspecify.annotations.NullMarked;
