@NullMarked
package io.plog.client.report;

import org.jspecify.annotations.NullMarked;
