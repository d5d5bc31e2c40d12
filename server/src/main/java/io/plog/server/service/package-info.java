/**
 * What a target does with its requests: the interface of a service, and the services that come with the server. Knows no log and
 * no network. For every package of the server, and for tests that know what a service answers.
 */
@NullMarked
package io.plog.server.service;

import org.jspecify.annotations.NullMarked;
