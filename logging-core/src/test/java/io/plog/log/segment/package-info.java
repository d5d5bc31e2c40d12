@NullMarked
package io.plog.log.segment;

import org.jspecify.annotations.NullMarked;
