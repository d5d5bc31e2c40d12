/** What figures draw, as tables: computed here, drawn by the page, written as CSV. */
@NullMarked
package io.plog.report.table;

import org.jspecify.annotations.NullMarked;
