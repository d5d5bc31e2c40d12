/**
 * Fuzz targets: arbitrary bytes where bytes come from outside. Each target is a class with a static method
 * {@code fuzzerTestOneInput(byte[])} that throws on a finding and returns otherwise; it needs no Jazzer to run.
 * {@link io.plog.fuzz.CorpusTest} runs them all over the corpus in every build; {@code tools/fuzz} lets Jazzer look for
 * new cases.
 */
@NullMarked
package io.plog.fuzz;

import org.jspecify.annotations.NullMarked;
