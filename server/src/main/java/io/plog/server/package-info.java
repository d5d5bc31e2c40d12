@NullMarked
package io.plog.server;

import org.jspecify.annotations.NullMarked;
