/** {@code plog load}: a load on one target of a server. */
@NullMarked
package io.plog.app.load;

import org.jspecify.annotations.NullMarked;
