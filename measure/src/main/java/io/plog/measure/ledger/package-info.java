/** The client's own record of what was acknowledged: written while it happens, read again for an audit. */
@NullMarked
package io.plog.measure.ledger;

import org.jspecify.annotations.NullMarked;
