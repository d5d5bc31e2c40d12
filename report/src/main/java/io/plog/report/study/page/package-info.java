/** The page of a load study: from {@link io.plog.report.study.StudyResults} to one file, its figures and a summary. */
@NullMarked
package io.plog.report.study.page;

import org.jspecify.annotations.NullMarked;
