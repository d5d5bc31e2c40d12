/**
 * What results.json holds, and how it becomes text. For everything that computes, draws or prints results; it depends on no other
 * package of the report.
 */
@NullMarked
package io.plog.results.model;

import org.jspecify.annotations.NullMarked;
