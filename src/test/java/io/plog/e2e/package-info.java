/** End-to-end tests: real processes on real directories, and the rules that hold the modules apart. */
@NullMarked
package io.plog.e2e;

import org.jspecify.annotations.NullMarked;
