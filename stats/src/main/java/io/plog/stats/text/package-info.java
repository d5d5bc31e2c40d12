/** Numbers, sizes and names as people read and write them. For code that measures, reports or parses options. */
@NullMarked
package io.plog.stats.text;

import org.jspecify.annotations.NullMarked;
