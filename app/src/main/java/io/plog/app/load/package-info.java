/** {@code plog load}: a load on one target of a server, from one process or several. */
@NullMarked
package io.plog.app.load;

import org.jspecify.annotations.NullMarked;
