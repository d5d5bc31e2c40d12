/**
 * Judges what students build: logs (lab 10; also plog's own, and that with a bug, lab 9) and clients (lab 14), by many histories of each
 * promise.
 */
@NullMarked
package io.plog.app.lab.yours;

import org.jspecify.annotations.NullMarked;
