/**
 * Judges a run: the published claims, whether its numbers may be believed, and whether its disks keep their word. For the analysis,
 * which puts the verdicts into the results.
 */
@NullMarked
package io.plog.results.verdict;

import org.jspecify.annotations.NullMarked;
