// Numbers as people read them; the same rules as in the terminal summary.
const format = {
  size(bytes) {
    if (bytes >= 1e6 && bytes % 1e6 === 0) return bytes / 1e6 + " MB";
    if (bytes >= 1000 && bytes % 1000 === 0) return bytes / 1000 + " kB";
    if (bytes >= 1048576 && bytes % 1048576 === 0) return bytes / 1048576 + " MiB";
    if (bytes >= 1024 && bytes % 1024 === 0) return bytes / 1024 + " KiB";
    return bytes + " B";
  },
  // Memory and disk space, which come in powers of two.
  memory(bytes) {
    const power = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
    const amount = bytes / 1024 ** power;
    return (Number.isInteger(amount) ? amount : amount.toFixed(1)) + " " + ["B", "KiB", "MiB", "GiB", "TiB"][power];
  },
  count: (n) => Math.round(n).toLocaleString("en-US"),
  micros(us) {
    if (us == null) return "–";
    if (us === 0) return "0";
    return us >= 99.95 ? format.count(us) : us.toFixed(Math.abs(us) >= 9.995 ? 1 : 2);
  },
  // For axes and hover values: the unit follows the magnitude.
  time(us) {
    if (us == null) return "–";
    if (us >= 1e6) return trim(us / 1e6) + " s";
    if (us >= 1000) return trim(us / 1000) + " ms";
    return trim(us) + " µs";
  },
  ratio: (x) => "×" + x.toFixed(x >= 9.995 ? 1 : 2),
  // One decimal, a second one above 99.9 and below 0.1; cut, not rounded: 100 % means all.
  percent(share) {
    if (share === 0 || share === 1) return share * 100 + " %";
    const hundredths = Math.floor(share * 1e4 + 1e-6);
    if (hundredths < 1) return "< 0.01 %";
    return (hundredths > 9990 || hundredths < 10 ? (hundredths / 100).toFixed(2) : (Math.floor(hundredths / 10) / 10).toFixed(1)) + " %";
  },
  wholePercent: (share) => Math.round(share * 100) + " %",
  // For axes: as many decimals as the round value needs.
  percentTick: (share) => trim(share * 100) + " %",
};

function trim(x) {
  return String(Number(x.toPrecision(3)));
}
