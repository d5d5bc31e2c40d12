/** {@code plog measure} and {@code plog call}: an experiment, a load, or one request, against a server. */
@NullMarked
package io.plog.app.measure;

import org.jspecify.annotations.NullMarked;
