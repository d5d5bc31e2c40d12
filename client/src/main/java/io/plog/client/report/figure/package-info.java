/** A figure as data, and how it becomes a file: axes, marks, labels and the table of what is drawn; SVG and CSV. */
@org.jspecify.annotations.NullMarked
package io.plog.client.report.figure;
