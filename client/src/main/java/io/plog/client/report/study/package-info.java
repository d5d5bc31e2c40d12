/** The report of a load study: from {@link io.plog.client.study.StudyResults} to one page, its figures and a summary. */
@NullMarked
package io.plog.client.report.study;

import org.jspecify.annotations.NullMarked;
