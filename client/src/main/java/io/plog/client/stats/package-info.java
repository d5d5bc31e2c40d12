@NullMarked
package io.plog.client.stats;

import org.jspecify.annotations.NullMarked;
