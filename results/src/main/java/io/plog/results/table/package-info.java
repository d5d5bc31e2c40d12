/** What figures draw, as tables: computed here, drawn by the page, written as CSV. */
@NullMarked
package io.plog.results.table;

import org.jspecify.annotations.NullMarked;
