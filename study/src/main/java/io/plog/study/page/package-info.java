/** The page of a load study: from {@link io.plog.study.StudyResults} to one file, its figures and a summary. */
@NullMarked
package io.plog.study.page;

import org.jspecify.annotations.NullMarked;
