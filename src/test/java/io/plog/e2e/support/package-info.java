/** What the end-to-end tests share: processes, directories, connections, what logs and results hold. */
@NullMarked
package io.plog.e2e.support;

import org.jspecify.annotations.NullMarked;
