/** What lies on disk: the formats of records, segments and small files, and how such files are read and replaced. */
@NullMarked
package io.plog.log.file;

import org.jspecify.annotations.NullMarked;
