@NullMarked
package io.plog.protocol;

import org.jspecify.annotations.NullMarked;
