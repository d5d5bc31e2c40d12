package io.plog.measure.plan;

/** How the intended times of a load follow each other. */
public enum Arrivals implements JsonLabelled {
    /** At equal distances. */
    CONSTANT,
    /** At exponentially distributed distances, as of many users who know nothing of each other. */
    POISSON;
}
