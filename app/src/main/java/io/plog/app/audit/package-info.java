/** {@code plog audit}: holds what clients noted as acknowledged against what the log has. */
@NullMarked
package io.plog.app.audit;

import org.jspecify.annotations.NullMarked;
