/**
 * The report of a run as an HTML page, section by section. For the class Report alone.
 */
@NullMarked
package io.plog.report.page;

import org.jspecify.annotations.NullMarked;
