@NullMarked
package io.plog.log.file;

import org.jspecify.annotations.NullMarked;
