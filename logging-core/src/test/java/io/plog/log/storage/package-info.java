@NullMarked
package io.plog.log.storage;

import org.jspecify.annotations.NullMarked;
