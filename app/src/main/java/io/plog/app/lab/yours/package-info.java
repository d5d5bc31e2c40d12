/**
 * Judges what students build, by many histories of each promise: logs (lab 10; also plog's own, and that with a bug, lab 9), clients (lab 14)
 * and recoveries (lab 15).
 */
@NullMarked
package io.plog.app.lab.yours;

import org.jspecify.annotations.NullMarked;
