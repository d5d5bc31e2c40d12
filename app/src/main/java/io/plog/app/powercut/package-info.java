/** {@code plog powercut}: the power-cut test, step by step, on two machines or on a simulated disk. */
@NullMarked
package io.plog.app.powercut;

import org.jspecify.annotations.NullMarked;
