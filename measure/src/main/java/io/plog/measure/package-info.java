/** The experiment: every target with every size, interleaved in randomised blocks, against one server. */
@NullMarked
package io.plog.measure;

import org.jspecify.annotations.NullMarked;
