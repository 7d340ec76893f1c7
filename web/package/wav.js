// SPDX-License-Identifier: MIT

/** A WAV file of 24 bits, byte for byte as `jawari render --gain 1` writes it.  Beyond full scale is cut. */
export function wavBytes(channels, rate) {
  const frames = channels[0].length, count = channels.length, data = 3 * count * frames, odd = data & 1;
  const bytes = new Uint8Array(44 + data + odd), view = new DataView(bytes.buffer);
  const word = (at, text) => { for (let i = 0; i < 4; ++i) bytes[at + i] = text.charCodeAt(i); };
  word(0, 'RIFF');
  view.setUint32(4, 36 + data + odd, true);
  word(8, 'WAVE');
  word(12, 'fmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, count, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * count * 3, true);
  view.setUint16(32, count * 3, true);
  view.setUint16(34, 24, true);
  word(36, 'data');
  view.setUint32(40, data, true);
  let at = 44;
  for (let n = 0; n < frames; ++n)
    for (let c = 0; c < count; ++c) {
      const x = channels[c][n], whole = nearest((x > 1 ? 1 : x < -1 ? -1 : x === x ? x : 0) * 0x7fffff);
      bytes[at++] = whole & 255;
      bytes[at++] = (whole >> 8) & 255;
      bytes[at++] = (whole >> 16) & 255;
    }
  return bytes;
}
/** The nearest whole number; of two the even one. */
function nearest(x) {
  const low = Math.floor(x), rest = x - low;
  return rest < 0.5 ? low : rest > 0.5 ? low + 1 : low + (low & 1);
}
