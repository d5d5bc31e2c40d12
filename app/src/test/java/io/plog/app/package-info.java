@NullMarked
package io.plog.app;

import org.jspecify.annotations.NullMarked;
