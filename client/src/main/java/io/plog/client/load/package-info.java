@NullMarked
package io.plog.client.load;

import org.jspecify.annotations.NullMarked;
