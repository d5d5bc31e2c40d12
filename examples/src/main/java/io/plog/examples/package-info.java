/** What embedders copy. */
@NullMarked
package io.plog.examples;

import org.jspecify.annotations.NullMarked;
