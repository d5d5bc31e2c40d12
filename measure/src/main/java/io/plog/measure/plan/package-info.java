/** What is to be measured: one plan for each subject, checked once, from the options to the results. */
@NullMarked
package io.plog.measure.plan;

import org.jspecify.annotations.NullMarked;
