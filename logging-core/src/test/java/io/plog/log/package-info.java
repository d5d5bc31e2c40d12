@NullMarked
package io.plog.log;

import org.jspecify.annotations.NullMarked;
