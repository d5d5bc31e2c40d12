@NullMarked
package io.plog.client;

import org.jspecify.annotations.NullMarked;
