package io.plog.measure.samples;

/**
 * What is run without a break: a cell's part of one block.
 *
 * @param block of its trial, from 0
 */
public record CellTurn(int block, CellKey cell) {}
