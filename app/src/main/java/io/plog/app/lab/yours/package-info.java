/** The campaign that judges a log of the course's: a student's (lab 10), plog's own, and that with a bug (lab 9). */
@NullMarked
package io.plog.app.lab.yours;

import org.jspecify.annotations.NullMarked;
