@NullMarked
package io.plog.app.disk;

import org.jspecify.annotations.NullMarked;
