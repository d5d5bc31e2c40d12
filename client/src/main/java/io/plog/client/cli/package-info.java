@NullMarked
package io.plog.client.cli;

import org.jspecify.annotations.NullMarked;
