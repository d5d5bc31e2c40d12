// Decompresses DEFLATE (RFC 1951): the browsers' own decompression cannot be waited for while the page is put together, and is
// missing in older ones.
function inflate(input) {
  let [at, bits, have, size] = [0, 0, 0, 0];
  let output = new Uint8Array(4 * input.length);
  const put = (byte) => {
    if (size === output.length) {
      const larger = new Uint8Array(2 * size);
      larger.set(output);
      output = larger;
    }
    output[size++] = byte;
  };
  const take = (count) => {
    while (have < count) {
      if (at === input.length) throw new Error("the data of this page is cut short");
      bits |= input[at++] << have;
      have += 8;
    }
    const value = bits & ((1 << count) - 1);
    bits >>>= count;
    have -= count;
    return value;
  };
  // Codes of one length are consecutive numbers, and begin where those of the length before end.
  const symbol = ({ counts, symbols }) => {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length <= 15; length++) {
      code |= take(1);
      if (code - counts[length] < first) return symbols[index + code - first];
      index += counts[length];
      first = (first + counts[length]) << 1;
      code <<= 1;
    }
    throw new Error("the data of this page is damaged");
  };
  const codes = (lengths) => {
    const counts = new Array(16).fill(0);
    lengths.forEach((length) => counts[length]++);
    counts[0] = 0;
    const symbols = lengths.map((_, value) => value).filter((value) => lengths[value] > 0)
      .sort((a, b) => lengths[a] - lengths[b] || a - b);
    return { counts, symbols };
  };
  const dynamic = () => {
    const [literals, distances, described] = [take(5) + 257, take(5) + 1, take(4) + 4];
    const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    const short = new Array(19).fill(0);
    for (let i = 0; i < described; i++) short[order[i]] = take(3);
    const lengths = [];
    const coded = codes(short);
    while (lengths.length < literals + distances) {
      const found = symbol(coded);
      if (found < 16) lengths.push(found);
      else {
        const [value, times] = found === 16 ? [lengths[lengths.length - 1], 3 + take(2)] : [0, found === 17 ? 3 + take(3) : 11 + take(7)];
        for (let i = 0; i < times; i++) lengths.push(value);
      }
    }
    return [codes(lengths.slice(0, literals)), codes(lengths.slice(literals))];
  };
  const fixed = () => [codes([...new Array(144).fill(8), ...new Array(112).fill(9), ...new Array(24).fill(7), ...new Array(8).fill(8)]), codes(new Array(30).fill(5))];
  const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
  const lengthBits = (i) => (i < 8 || i === 28 ? 0 : (i >> 2) - 1);
  const distanceBits = (i) => Math.max(0, (i >> 1) - 1);
  const distanceFrom = (i) => (i < 4 ? i + 1 : ((2 + (i & 1)) << distanceBits(i)) + 1);
  const stored = () => {
    bits = have = 0;
    const count = input[at] | (input[at + 1] << 8);
    at += 4;
    for (let i = 0; i < count; i++) put(input[at++]);
  };
  for (let last = false; !last; ) {
    last = take(1) === 1;
    const kind = take(2);
    if (kind === 0) {
      stored();
      continue;
    }
    const [literal, distance] = kind === 1 ? fixed() : dynamic();
    for (let found = symbol(literal); found !== 256; found = symbol(literal)) {
      if (found < 256) put(found);
      else {
        const length = LENGTHS[found - 257] + take(lengthBits(found - 257));
        const back = symbol(distance);
        const from = size - distanceFrom(back) - take(distanceBits(back));
        for (let i = 0; i < length; i++) put(output[from + i]);
      }
    }
  }
  return output.subarray(0, size);
}
