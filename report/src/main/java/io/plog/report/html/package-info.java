/**
 * Pages as text: escaped markup, sections with figures, and the template that makes a file of them which opens offline. For the
 * packages that render a page; it knows figures and nothing of what they show.
 */
@NullMarked
package io.plog.report.html;

import org.jspecify.annotations.NullMarked;
