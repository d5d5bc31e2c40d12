package io.plog.log;

/**
 * A method that takes at least a kilobyte of the stack: {@link StackRoom} calls it to see whether there is that much. Java has no
 * variables of a chosen size, so the method has 128 numbers of 8 bytes that are read before a call and used after it; what they
 * are means nothing. Interpreted they take twice as much.
 *
 * <p>Only the last of several levels uses its numbers, and only once in a while, so a level costs 2 to 3 nanoseconds. The frame is as
 * large for all: but a part of a method that never runs is not compiled, and then has no place in it.
 */
final class LargeFrame {
    private static final int USED_ONCE_IN = 128;
    private static final long[] NUMBERS = new long[128];

    private LargeFrame() {}

    /**
     * Goes so many levels down, and returns.
     *
     * @param nanos the time, by which the last level uses its numbers now and then
     * @return a number without a meaning
     * @throws StackOverflowError if there is less room
     */
    static long reach(int levels, long nanos) {
        if (levels > 0) {
            return reach(levels - 1, nanos);
        }
        if (levels < 0 || (nanos & USED_ONCE_IN - 1) != 0) {
            return 0;
        }
        long[] n = NUMBERS;
        long a0 = n[0], a1 = n[1], a2 = n[2], a3 = n[3], a4 = n[4], a5 = n[5], a6 = n[6], a7 = n[7];
        long b0 = n[8], b1 = n[9], b2 = n[10], b3 = n[11], b4 = n[12], b5 = n[13], b6 = n[14], b7 = n[15];
        long c0 = n[16], c1 = n[17], c2 = n[18], c3 = n[19], c4 = n[20], c5 = n[21], c6 = n[22], c7 = n[23];
        long d0 = n[24], d1 = n[25], d2 = n[26], d3 = n[27], d4 = n[28], d5 = n[29], d6 = n[30], d7 = n[31];
        long e0 = n[32], e1 = n[33], e2 = n[34], e3 = n[35], e4 = n[36], e5 = n[37], e6 = n[38], e7 = n[39];
        long f0 = n[40], f1 = n[41], f2 = n[42], f3 = n[43], f4 = n[44], f5 = n[45], f6 = n[46], f7 = n[47];
        long g0 = n[48], g1 = n[49], g2 = n[50], g3 = n[51], g4 = n[52], g5 = n[53], g6 = n[54], g7 = n[55];
        long h0 = n[56], h1 = n[57], h2 = n[58], h3 = n[59], h4 = n[60], h5 = n[61], h6 = n[62], h7 = n[63];
        long i0 = n[64], i1 = n[65], i2 = n[66], i3 = n[67], i4 = n[68], i5 = n[69], i6 = n[70], i7 = n[71];
        long j0 = n[72], j1 = n[73], j2 = n[74], j3 = n[75], j4 = n[76], j5 = n[77], j6 = n[78], j7 = n[79];
        long k0 = n[80], k1 = n[81], k2 = n[82], k3 = n[83], k4 = n[84], k5 = n[85], k6 = n[86], k7 = n[87];
        long l0 = n[88], l1 = n[89], l2 = n[90], l3 = n[91], l4 = n[92], l5 = n[93], l6 = n[94], l7 = n[95];
        long m0 = n[96], m1 = n[97], m2 = n[98], m3 = n[99], m4 = n[100], m5 = n[101], m6 = n[102], m7 = n[103];
        long n0 = n[104], n1 = n[105], n2 = n[106], n3 = n[107], n4 = n[108], n5 = n[109], n6 = n[110], n7 = n[111];
        long o0 = n[112], o1 = n[113], o2 = n[114], o3 = n[115], o4 = n[116], o5 = n[117], o6 = n[118], o7 = n[119];
        long p0 = n[120], p1 = n[121], p2 = n[122], p3 = n[123], p4 = n[124], p5 = n[125], p6 = n[126], p7 = n[127];
        return reach(-1, nanos) // they must survive it
                + (a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7)
                + (c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + d0 + d1 + d2 + d3 + d4 + d5 + d6 + d7)
                + (e0 + e1 + e2 + e3 + e4 + e5 + e6 + e7 + f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7)
                + (g0 + g1 + g2 + g3 + g4 + g5 + g6 + g7 + h0 + h1 + h2 + h3 + h4 + h5 + h6 + h7)
                + (i0 + i1 + i2 + i3 + i4 + i5 + i6 + i7 + j0 + j1 + j2 + j3 + j4 + j5 + j6 + j7)
                + (k0 + k1 + k2 + k3 + k4 + k5 + k6 + k7 + l0 + l1 + l2 + l3 + l4 + l5 + l6 + l7)
                + (m0 + m1 + m2 + m3 + m4 + m5 + m6 + m7 + n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7)
                + (o0 + o1 + o2 + o3 + o4 + o5 + o6 + o7 + p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7);
    }
}
