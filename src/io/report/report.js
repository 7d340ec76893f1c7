// Draws a report from the data in the page.  Panels are described by the data; nothing here knows any physics.
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const page = document.getElementById('page');
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const el = (tag, props = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), props);
    node.append(...children);
    return node;
  };
  const arrays = data.arrays.map(text => {
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
    return new Float32Array(bytes.buffer);
  });
  const prefixes = { '-15': 'f', '-12': 'p', '-9': 'n', '-6': 'µ', '-3': 'm', 0: '', 3: 'k', 6: 'M', 9: 'G' };
  const scaled = unit => /^(m|s|N|J|Hz|m\/s|kg)$/.test(unit);
  // One prefix for a whole axis: 0.00087 m reads as 0.87 mm.
  const axisScale = (unit, largest) => {
    if (!scaled(unit) || !(largest > 0)) return { factor: 1, unit };
    const power = Math.max(-15, Math.min(9, 3 * Math.floor(Math.log10(largest) / 3 + 1e-9)));
    return { factor: 10 ** -power, unit: prefixes[power] + unit };
  };
  const show = x => x == null || !isFinite(x) ? '–' : Math.abs(x) >= 1e-3 && Math.abs(x) < 1e5 || x === 0 ? String(+x.toPrecision(5)) : x.toExponential(3);
  const largest = series => {
    let most = 0;
    for (const s of series) for (const x of s) if (Math.abs(x) > most && isFinite(x)) most = Math.abs(x);
    return most;
  };

  const charts = [], sync = window.uPlot && uPlot.sync('time');
  const strokes = i => colour(`--s${i % 8}`);

  function timePanel(panel, box) {
    const values = panel.series.map(s => arrays[s.array]);
    const count = values[0].length, step = panel.step ?? data.step_s;
    const unit = panel.series[0].unit, y = axisScale(unit, largest(values)), t = axisScale('s', count * step);
    const x = Float64Array.from({ length: count }, (_, i) => i * step * t.factor);
    const ys = values.map(v => Float64Array.from(v, z => panel.log ? Math.max(Math.abs(z), 1e-300) : z * y.factor));
    const legend = el('div', { className: 'legend' }), plot = el('div', { className: 'plot' });
    const labels = panel.series.map((s, i) => {
      const value = el('span');
      legend.append(el('span', {}, el('i', { style: `background:${strokes(s.colour ?? i)}` }), s.label, ' ', value));
      return value;
    });
    box.append(plot, legend);
    const axis = { stroke: () => colour('--soft'), grid: { stroke: () => colour('--grid'), width: 1 }, ticks: { stroke: () => colour('--grid'), width: 1 }, font: '12px system-ui, sans-serif' };
    const chart = new uPlot({
      width: plot.clientWidth || 600, height: panel.height || 220,
      cursor: { sync: { key: 'time', setSeries: false }, drag: { x: true, y: false } },
      scales: { x: { time: false }, y: panel.log ? { distr: 3 } : {} },
      series: [{}].concat(panel.series.map((s, i) => ({ stroke: () => strokes(s.colour ?? i), width: s.width || 1.25, points: { show: count < 60 }, fill: s.fill ? () => strokes(s.colour ?? i) + '22' : undefined }))),
      axes: [{ ...axis, label: `time [${t.unit}]`, labelSize: 18, labelFont: '12px system-ui', size: 34 },
             { ...axis, label: y.unit ? `[${panel.log ? unit : y.unit}]` : '', labelSize: 16, labelFont: '12px system-ui', size: 62, values: (u, ticks) => ticks.map(v => v == null ? '' : panel.log ? (Number.isInteger(+Math.log10(v).toFixed(6)) ? v.toExponential(0) : '') : String(+v.toPrecision(6))) }],
      hooks: { setCursor: [u => labels.forEach((label, i) => { const at = u.cursor.idx; label.textContent = at == null ? '' : show(ys[i][at] / (panel.log ? 1 : y.factor)) + ' ' + unit; })] },
    }, [x, ...ys], plot);
    charts.push({ chart, plot, height: panel.height || 220 });
    return { chart, factor: t.factor };
  }

  // Round numbers between a and b: 1, 2 or 5 times a power of ten, or whole powers on a logarithmic axis.
  function ticks(a, b, log) {
    const out = [];
    if (log) {
      const from = Math.ceil(Math.log10(a) - 1e-9), to = Math.floor(Math.log10(b) + 1e-9), every = Math.max(1, Math.ceil((to - from) / 8));
      for (let e = from; e <= to; e += every) out.push(10 ** e);
      if (out.length < 2) for (const m of [1, 2, 5]) for (let e = Math.floor(Math.log10(a)); e <= to + 1; ++e) if (m * 10 ** e >= a * .999 && m * 10 ** e <= b * 1.001) out.push(m * 10 ** e);
      return [...new Set(out)].sort((p, q) => p - q);
    }
    const raw = (b - a) / 5, e = 10 ** Math.floor(Math.log10(raw)), m = raw / e, step = (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10) * e;
    for (let v = Math.ceil(a / step - 1e-9) * step; v <= b + step * 1e-9; v += step) out.push(Math.abs(v) < step * 1e-9 ? 0 : v);
    return out;
  }

  // A curve in the plane (force over compression, error over rate): uPlot wants x to rise, so this one is painted by hand.
  function planePanel(panel, box) {
    const canvas = el('canvas', { className: 'xy' }), legend = el('div', { className: 'legend' });
    box.append(el('div', { className: 'plot' }, canvas), legend);
    panel.series.forEach((s, i) => legend.append(el('span', {}, el('i', { style: `background:${strokes(i)}` }), s.label)));
    const log = panel.log, kept = v => panel.x_from == null || v >= panel.x_from;
    const sx = log ? { factor: 1, unit: panel.x_unit } : axisScale(panel.x_unit, largest(panel.series.map(s => arrays[s.x])));
    const sy = log ? { factor: 1, unit: panel.series[0].unit } : axisScale(panel.series[0].unit, largest(panel.series.map(s => arrays[s.array])));
    const curves = panel.series.map(s => Array.from(arrays[s.x], (v, n) => [v, arrays[s.array][n]]).map(([u, v]) =>
      !kept(u) || !isFinite(v) || log && !(u > 0 && v > 0) ? null : [u * sx.factor, v * sy.factor]));
    const points = curves.flat().filter(Boolean), reach = (i, f, z) => points.reduce((m, q) => f(m, q[i]), z);
    let x0 = reach(0, Math.min, Infinity), x1 = reach(0, Math.max, -Infinity), y0 = reach(1, Math.min, log ? Infinity : 0), y1 = reach(1, Math.max, log ? -Infinity : 0);
    if (log) x0 /= 1.15, x1 *= 1.15, y0 /= 1.5, y1 *= 1.5;
    if (panel.x_from != null) x0 = panel.x_from;
    if (!(x1 > x0)) x0 = 0, x1 = 1;
    if (!(y1 > y0)) y0 = 0, y1 = 1;
    const axis = log ? Math.log10 : v => v, text = v => !log ? String(+v.toPrecision(5)) : v >= 1e4 && v < 1e7 ? `${+(v / 1e3).toPrecision(3)}k` : v < 1e-3 || v >= 1e7 ? v.toExponential(0) : String(+v.toPrecision(3));
    const paint = () => {
      const w = canvas.clientWidth || 600, h = Math.min(360, w * .62), r = devicePixelRatio || 1, left = 66, bottom = 36, top = 10, right = 16;
      canvas.width = w * r, canvas.height = h * r, canvas.style.height = h + 'px';
      const c = canvas.getContext('2d');
      c.scale(r, r), c.clearRect(0, 0, w, h), c.font = '12px system-ui, sans-serif', c.lineJoin = 'round';
      const px = v => left + (axis(v) - axis(x0)) / (axis(x1) - axis(x0)) * (w - left - right);
      const py = v => h - bottom - (axis(v) - axis(y0)) / (axis(y1) - axis(y0)) * (h - top - bottom);
      c.strokeStyle = colour('--grid'), c.fillStyle = colour('--soft'), c.textAlign = 'center';
      for (const v of ticks(x0, x1, log)) c.beginPath(), c.moveTo(px(v), top), c.lineTo(px(v), h - bottom), c.stroke(), c.fillText(text(v), px(v), h - bottom + 15);
      c.textAlign = 'right';
      for (const v of ticks(y0, y1, log)) c.beginPath(), c.moveTo(left, py(v)), c.lineTo(w - right, py(v)), c.stroke(), c.fillText(text(v), left - 6, py(v) + 4);
      c.textAlign = 'center', c.fillText(`${panel.x_label}${sx.unit ? ` [${sx.unit}]` : ''}`, (left + w - right) / 2, h - 4);
      if (sy.unit) c.save(), c.translate(12, (top + h - bottom) / 2), c.rotate(-Math.PI / 2), c.fillText(`[${sy.unit}]`, 0, 0), c.restore();
      c.save(), c.beginPath(), c.rect(left, top, w - left - right, h - top - bottom), c.clip(), c.lineWidth = 1.25;
      curves.forEach((curve, i) => {
        c.strokeStyle = c.fillStyle = strokes(i), c.setLineDash(i >= 8 ? [5, 4] : []), c.beginPath();
        let pen = false;
        for (const q of curve) q ? pen ? c.lineTo(px(q[0]), py(q[1])) : c.moveTo(px(q[0]), py(q[1])) : 0, pen = !!q;
        c.stroke();
        if (panel.points) for (const q of curve) if (q) c.beginPath(), c.arc(px(q[0]), py(q[1]), 3, 0, 7), c.fill();
      });
      c.restore();
    };
    charts.push({ repaint: paint }), paint();
  }

  function card(title, caption) {
    const box = el('section', { className: 'card' }, el('h2', { textContent: title }));
    if (caption) box.append(el('p', { className: 'caption', textContent: caption }));
    page.append(box);
    return box;
  }
  function table(t) {
    const box = card(t.title, t.caption), body = el('tbody');
    for (const row of t.rows) body.append(el('tr', {}, ...row.map((x, i) => el('td', { textContent: x, className: t.numeric?.includes(i) ? 'number' : '' }))));
    box.append(el('div', { className: 'scroll' }, el('table', {}, el('thead', {}, el('tr', {}, ...t.columns.map((x, i) => el('th', { textContent: x, className: t.numeric?.includes(i) ? 'number' : '' })))), body)));
  }

  page.append(el('h1', { textContent: data.title }), el('p', { className: 'lead', textContent: data.lead }));
  const words = { failure: 'Wrong', warning: 'Careful', note: 'Note', good: 'Good' };
  page.append(el('ul', { className: 'verdicts' }, ...data.verdicts.map(v => el('li', { className: v.severity }, el('b', { textContent: words[v.severity] }), v.sentence))));
  if (data.numbers.length) {
    const box = el('section', { className: 'card' });
    box.append(el('dl', { className: 'numbers', style: 'margin:0' }, ...data.numbers.map(n => el('div', {}, el('dt', { textContent: n.label }), el('dd', {}, n.value, ' ', el('small', { textContent: n.unit || '' }))))));
    page.append(box);
  }
  let player = null;
  for (const panel of data.panels) {
    const box = card(panel.title, panel.caption);
    if (panel.audio) {
      player = el('audio', { controls: true, src: panel.audio, preload: 'auto' });
      box.append(player);
    }
    if (panel.kind === 'plane') { planePanel(panel, box); continue; }
    const { chart, factor } = timePanel(panel, box);
    if (panel.audio) {  // the cursor follows the sound
      const follow = () => { if (player.paused) return; chart.setCursor({ left: chart.valToPos(player.currentTime * factor, 'x'), top: 10 }); requestAnimationFrame(follow); };
      player.addEventListener('play', follow);
    }
  }
  for (const t of data.tables) table(t);
  if (data.scene) page.append(el('section', { className: 'card' }, el('details', { open: data.scene.split('\n').length < 40 }, el('summary', { textContent: 'Scene' }), el('pre', { textContent: data.scene }))));
  page.append(el('p', { className: 'hint', textContent: 'Drag over a plot to zoom, double-click to see all of it again.' }),
              el('footer', { textContent: data.footer }));

  const refit = () => charts.forEach(c => c.repaint ? c.repaint() : c.chart.setSize({ width: c.plot.clientWidth, height: c.height }));
  let waiting = 0;
  addEventListener('resize', () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(refit); });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => charts.forEach(c => c.repaint ? c.repaint() : c.chart.redraw(false, true)));
  refit();
  document.documentElement.dataset.drawn = charts.length;  // tests wait for this
})();
