/** What is made of the program's commands for its packages. */
@NullMarked
package io.plog.packaging;

import org.jspecify.annotations.NullMarked;
