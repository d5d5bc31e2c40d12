/** What the samples of a run say: results, checks, verdicts on the published claims, figures, the page. */
@NullMarked
package io.plog.report;

import org.jspecify.annotations.NullMarked;
