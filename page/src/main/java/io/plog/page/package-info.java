/** Pages and the files of their figures: a static template with results and tables inside, which a browser draws. */
@NullMarked
package io.plog.page;

import org.jspecify.annotations.NullMarked;
