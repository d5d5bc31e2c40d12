/** A figure as data, and how it becomes a file: axes, marks, labels and the table of what is drawn; SVG and CSV. */
@NullMarked
package io.plog.report.figure;

import org.jspecify.annotations.NullMarked;
