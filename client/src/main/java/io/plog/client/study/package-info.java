/** The load study: what a server's design costs under load. From samples of {@link io.plog.client.load.drive} to figures. */
@NullMarked
package io.plog.client.study;

import org.jspecify.annotations.NullMarked;
