/** Rules of the whole tree: who imports whom, what documents and launchers say. */
@NullMarked
package io.plog.e2e.rules;

import org.jspecify.annotations.NullMarked;
