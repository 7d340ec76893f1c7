// What every panel uses: data, colours, axes.  Panels are described by the data; nothing in these files computes physics.
// One file per kind of panel puts its function into report.panels; report.js builds the page from them.
'use strict';
const report = (() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const strokes = i => colour(`--s${i % 8}`);
  const el = (tag, props = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), props);
    node.append(...children);
    return node;
  };
  const array = (index, Type = Float32Array) => {
    const raw = atob(data.arrays[index]), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
    return new Type(bytes.buffer);
  };

  const prefixes = { '-15': 'f', '-12': 'p', '-9': 'n', '-6': 'µ', '-3': 'm', 0: '', 3: 'k', 6: 'M', 9: 'G' };
  const scaled = unit => /^(m|s|N|J|Hz|m\/s|kg)$/.test(unit);
  // One prefix for a whole axis: 0.00087 m reads as 0.87 mm.
  const axisScale = (unit, largest) => {
    if (!scaled(unit) || !(largest > 0)) return { factor: 1, unit };
    const power = Math.max(-15, Math.min(9, 3 * Math.floor(Math.log10(largest) / 3 + 1e-9)));
    return { factor: 10 ** -power, unit: prefixes[power] + unit };
  };
  const show = x => x == null || !isFinite(x) ? '–' : Math.abs(x) >= 1e-3 && Math.abs(x) < 1e5 || x === 0 ? String(+x.toPrecision(5)) : x.toExponential(3);
  const showUnit = (x, unit, digits = 4) => { if (x == null || !isFinite(x)) return '–'; const s = axisScale(unit, Math.abs(x)); return `${+(x * s.factor).toPrecision(digits)} ${s.unit}`; };
  const largest = series => {
    let most = 0;
    for (const s of series) for (const x of s) if (Math.abs(x) > most && isFinite(x)) most = Math.abs(x);
    return most;
  };

  // Round numbers between a and b: 1, 2 or 5 times a power of ten, or whole powers on a long logarithmic axis.
  function ticks(a, b, log, count = 5) {
    const out = [];
    if (log) {
      const from = Math.ceil(Math.log10(a) - 1e-9), to = Math.floor(Math.log10(b) + 1e-9), every = Math.max(1, Math.ceil((to - from) / 8));
      for (let e = from; e <= to; e += every) out.push(10 ** e);
      if (to - from < 3) for (const m of [2, 5]) for (let e = from - 1; e <= to; ++e) if (m * 10 ** e >= a * .999 && m * 10 ** e <= b * 1.001) out.push(m * 10 ** e);
      return out.sort((p, q) => p - q);
    }
    const raw = (b - a) / count, e = 10 ** Math.floor(Math.log10(raw)), m = raw / e, step = (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10) * e;
    for (let v = Math.ceil(a / step - 1e-9) * step; v <= b + step * 1e-9; v += step) out.push(Math.abs(v) < step * 1e-9 ? 0 : v);
    return out;
  }
  const tickText = (v, log) => !log ? String(+v.toPrecision(5)) : v >= 1e3 && v < 1e7 ? `${+(v / 1e3).toPrecision(3)}k` : v < 1e-3 || v >= 1e7 ? v.toExponential(0) : String(+v.toPrecision(3));

  // A canvas of this height, empty: { c, w, h }.
  function sheet(canvas, height) {
    const w = canvas.clientWidth || 600, h = Math.round(height(w)), r = devicePixelRatio || 1;
    if (canvas.width !== Math.round(w * r) || canvas.height !== Math.round(h * r)) canvas.width = Math.round(w * r), canvas.height = Math.round(h * r), canvas.style.height = h + 'px';
    const c = canvas.getContext('2d');
    c.setTransform(r, 0, 0, r, 0, 0), c.clearRect(0, 0, w, h), c.font = '12px system-ui, sans-serif', c.lineJoin = 'round';
    return { c, w, h };
  }
  // An empty pair of axes on a canvas, as wide as those of the time panels: { c, px, py, left, right, top, bottom, valueX }.
  function axes(canvas, options) {
    const page = sheet(canvas, options.height);
    return lane(page, 10, page.h - 44, options);
  }
  // The same between two heights of a sheet; `xTicks`: numbers and a label below it.
  function lane({ c, w, h }, top, bottom, { x, y, xLog, yLog, xLabel, yLabel, xTicks = true }) {
    const left = 78, right = w - 16;
    c.lineWidth = 1;
    const ax = xLog ? Math.log10 : v => v, ay = yLog ? Math.log10 : v => v;
    const px = v => left + (ax(v) - ax(x[0])) / (ax(x[1]) - ax(x[0])) * (right - left);
    const py = v => bottom - (ay(v) - ay(y[0])) / (ay(y[1]) - ay(y[0])) * (bottom - top);
    const line = (x0, y0, x1, y1) => { c.beginPath(), c.moveTo(x0, y0), c.lineTo(x1, y1), c.stroke(); };
    c.strokeStyle = colour('--grid'), c.fillStyle = colour('--soft'), c.textAlign = 'center';
    let end = -Infinity;  // labels that would touch are left out
    for (const v of xLabel == null ? [] : ticks(x[0], x[1], xLog)) {
      const text = tickText(v, xLog), half = c.measureText(text).width / 2;
      line(px(v), top, px(v), bottom);
      if (xTicks && px(v) - half > end + 6) c.fillText(text, px(v), bottom + 17), end = px(v) + half;
    }
    c.textAlign = 'right';
    for (const v of ticks(y[0], y[1], yLog, bottom - top < 110 ? 2 : 5)) line(left, py(v), right, py(v)), c.fillText(tickText(v, yLog), left - 7, py(v) + 4);
    c.textAlign = 'center';
    if (xTicks && xLabel) c.fillText(xLabel, (left + right) / 2, bottom + 37);
    if (yLabel) c.save(), c.translate(12, (top + bottom) / 2), c.rotate(-Math.PI / 2), c.fillText(yLabel, 0, 0), c.restore();
    const valueX = p => { const z = ax(x[0]) + (p - left) / (right - left) * (ax(x[1]) - ax(x[0])); return xLog ? 10 ** z : z; };
    return { c, px, py, left, right, top, bottom, w, h, valueX };
  }
  // A legend entry; returns where its value goes.  Curves beyond the eighth are dashed, beyond the sixteenth dotted.
  const dashes = i => [[], [6, 4], [1.5, 3.5]][Math.min(2, Math.floor(i / 8))];
  function entry(legend, label, paint, dash = []) {
    const value = el('span'), line = dash.length ? `repeating-linear-gradient(90deg,${paint} 0 ${dash[0]}px,transparent ${dash[0]}px ${dash[0] + dash[1]}px)` : paint;
    legend.append(el('span', {}, el('i', { style: `background:${line}` }), label, ' ', value));
    return value;
  }

  // A mass or hand: its height and its force, frame by frame.
  const loadPoint = p => {
    const raw = array(p.heights, Int16Array);
    return { ...p, count: raw.length, value: i => raw[i] === -32768 ? NaN : raw[i] * p.scale, force: p.force == null ? null : array(p.force, Uint8Array) };
  };

  // A ramp of 256 colours through those named in the style sheet, in even steps of OKLab.
  function ramp(name = '--ramp') {
    const linear = v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4, coded = v => v <= .0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - .055;
    const lab = hex => {
      const [r, g, b] = [1, 3, 5].map(i => linear(parseInt(hex.slice(i, i + 2), 16) / 255));
      const l = Math.cbrt(.4122214708 * r + .5363325363 * g + .0514459929 * b), m = Math.cbrt(.2119034982 * r + .6806995451 * g + .1073969566 * b), s = Math.cbrt(.0883024619 * r + .2817188376 * g + .6299787005 * b);
      return [.2104542553 * l + .793617785 * m - .0040720468 * s, 1.9779984951 * l - 2.428592205 * m + .4505937099 * s, .0259040371 * l + .7827717662 * m - .808675766 * s];
    };
    const rgb = ([L, a, b]) => {
      const l = (L + .3963377774 * a + .2158037573 * b) ** 3, m = (L - .1055613458 * a - .0638541728 * b) ** 3, s = (L - .0894841775 * a - 1.291485548 * b) ** 3;
      return [4.0767416621 * l - 3.3077115913 * m + .2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - .3413193965 * s, -.0041960863 * l - .7034186147 * m + 1.707614701 * s]
        .map(v => Math.round(255 * coded(Math.min(1, Math.max(0, v)))));
    };
    const stops = colour(name).split(/\s+/).map(lab), way = [0];
    for (let i = 1; i < stops.length; ++i) way.push(way[i - 1] + Math.hypot(...stops[i].map((v, k) => v - stops[i - 1][k])));
    return Array.from({ length: 256 }, (_, n) => {
      const at = n / 255 * way[way.length - 1], i = Math.max(1, way.findIndex(v => v >= at - 1e-12)), f = (at - way[i - 1]) / (way[i] - way[i - 1]);
      return rgb(stops[i].map((v, k) => stops[i - 1][k] + f * (v - stops[i - 1][k])));
    });
  }
  const css = ([r, g, b]) => `rgb(${r},${g},${b})`;

  // All panels over time share one unit: their cursors and zooms are tied by value.
  const length = p => p.kind === 'map' ? (p.start ?? 0) + p.step * (data.arrays[p.cells].length * .75 / Math.max(1, data.arrays[p.y].length * .75 / 4)) : p.kind === 'time' ? (p.step ?? data.step_s) * data.arrays[p.series[0].array].length * .75 / 4 : 0;
  const time = axisScale('s', Math.max(0, ...data.panels.map(length)) * 1.001);

  // charts: what is drawn again when the window or the colours change: { chart, plot, height } of uPlot, or { repaint }.
  return { data, colour, strokes, el, array, axisScale, show, showUnit, largest, sheet, axes, lane, dashes, entry, loadPoint, ramp, css, time, charts: [], panels: {} };
})();
