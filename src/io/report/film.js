// Shapes of strings and bars over their barriers, with the masses and hands that meet them: lanes of a film, or some
// snapshots of one of them in one picture.
{
  const { colour, el, array, axisScale, showUnit, sheet, lane, entry, ramp, css, charts } = report;

  function load(panel) {
    const x = array(panel.x), n = x.length, raw = array(panel.frames, Int16Array), count = n ? raw.length / n : 0;
    const value = (i, k) => { const v = raw[i * n + k]; return v === -32768 ? NaN : v * panel.scale; };
    const low = new Float64Array(n).fill(Infinity), high = new Float64Array(n).fill(-Infinity);
    for (let i = 0; i < count; ++i) for (let k = 0; k < n; ++k) { const v = value(i, k); if (v < low[k]) low[k] = v; if (v > high[k]) high[k] = v; }
    const barriers = panel.barriers.map(b => ({ ...b, x: array(b.x), height: array(b.height), force: b.force == null ? null : array(b.force, Uint8Array) }));
    const points = (panel.points ?? []).map(report.loadPoint);
    return { name: panel.name, x, n, count, value, low, high, barriers, points, from: n ? x[0] : 0, to: n ? x[n - 1] : 1 };
  }

  // The visible heights between two places: all of the motion, and of the barriers only as much as does not make it small.
  function reach(film, from, to) {
    const wide = film.n > 1 ? (film.to - film.from) / (film.n - 1) : 0;
    let y0 = Infinity, y1 = -Infinity;
    for (let k = 0; k < film.n; ++k) if (film.x[k] >= from - wide && film.x[k] <= to + wide) y0 = Math.min(y0, film.low[k]), y1 = Math.max(y1, film.high[k]);
    if (!isFinite(y0)) y0 = y1 = 0;
    let b0 = Infinity, b1 = -Infinity;
    for (const b of film.barriers) b.height.forEach((v, k) => { if (isFinite(v) && b.x[k] >= from && b.x[k] <= to) b0 = Math.min(b0, v), b1 = Math.max(b1, v); });
    const room = y1 > y0 ? .35 * (y1 - y0) : Math.max(Math.abs(y0), b1 - b0, 0) || 1e-3;
    const least = Math.max(Math.min(y0, b0), y0 - room), most = Math.min(Math.max(y1, b1), y1 + room), margin = .06 * (most - least) || room;
    return [least - margin, most + margin];
  }

  // Strings that move alike share a scale: the same millimetres per pixel, each around its own middle.
  function heights(films, from, to) {
    const own = films.map(f => reach(f, from, to)), span = own.map(([a, b]) => b - a), widest = Math.max(...span, 0);
    return own.map(([a, b], i) => span[i] > widest / 8 ? [(a + b - widest) / 2, (a + b + widest) / 2] : [a, b]);
  }
  const laneHeight = (count, w) => count < 2 ? Math.max(156, Math.min(286, w * .36 - 54)) : Math.max(44, Math.min(170, 560 / count));

  // All strings and bars, one above the other over the same positions; `draw(string, film)` paints between barriers and
  // the points that touch in frame `lit`.  Returns where the positions are.
  function paint(canvas, films, view, lit, envelope, draw) {
    const first = Math.min(...films.map(f => f.from)), end = Math.max(...films.map(f => f.to)), edge = .012 * (end - first);
    const [from, to] = view ?? [first - edge, end + edge], ys = heights(films, from, to), many = films.length > 1, gap = many ? 22 : 0;
    const sx = to - from >= .1 ? { factor: 1, unit: 'm' } : axisScale('m', Math.max(Math.abs(from), Math.abs(to)));
    const each = laneHeight(films.length, canvas.clientWidth || 600), page = sheet(canvas, () => 10 + films.length * (each + gap) + 44);
    let frame = null;
    films.forEach((film, i) => {
      const top = 10 + gap + i * (each + gap), y = ys[i], sy = axisScale('m', Math.max(Math.abs(y[0]), Math.abs(y[1])));
      frame = lane(page, top, top + each, { x: [from * sx.factor, to * sx.factor], y: y.map(v => v * sy.factor), xLabel: `position [${sx.unit}]`, xTicks: i === films.length - 1,
        yLabel: each >= 120 ? `displacement [${sy.unit}]` : `[${sy.unit}]` });
      if (many) page.c.textAlign = 'left', page.c.fillStyle = colour('--ink'), page.c.fillText(film.name, frame.left, top - 6);
      paintLane(frame, film, from, to, sx, sy, lit, envelope, string => draw(string, film));
    });
    return { ...frame, top: 10 + gap, valueX: p => frame.valueX(p) / sx.factor };
  }

  function paintLane(frame, film, from, to, sx, sy, lit, envelope, lines) {
    const { c, left, right, top, bottom } = frame, px = v => frame.px(v * sx.factor), py = v => frame.py(v * sy.factor);
    const trace = (count, X, Y) => { let pen = false; for (let k = 0; k < count; ++k) { const v = Y(k); if (isFinite(v)) pen ? c.lineTo(px(X[k]), py(v)) : c.moveTo(px(X[k]), py(v)); pen = isFinite(v); } };
    c.save(), c.beginPath(), c.rect(left, top, right - left, bottom - top), c.clip();
    if (envelope && film.n) {
      c.beginPath(), c.globalAlpha = .1, c.fillStyle = colour('--s0');
      for (let k = 0; k < film.n; ++k) c.lineTo(px(film.x[k]), py(film.high[k]));
      for (let k = film.n; k--;) c.lineTo(px(film.x[k]), py(film.low[k]));
      c.fill(), c.globalAlpha = 1;
    }
    c.lineWidth = 1.25;
    const between = b => b.x.length > 1 ? (px(b.x[b.x.length - 1]) - px(b.x[0])) / (b.x.length - 1) : Infinity;  // pixels from point to point
    for (const b of film.barriers) {
      c.fillStyle = colour('--barrier'), c.strokeStyle = colour('--edge');
      const side = b.above ? top - 4 : bottom + 4, n = b.x.length;
      if (b.points) for (let k = 0; k < n; ++k) { const half = Math.max(2, Math.min(5.5, Math.abs(between(b)) * .4)), d = (b.above ? -1.8 : 1.8) * half; c.beginPath(), c.moveTo(px(b.x[k]), py(b.height[k])), c.lineTo(px(b.x[k]) - half, py(b.height[k]) + d), c.lineTo(px(b.x[k]) + half, py(b.height[k]) + d), c.closePath(), c.fill(), c.stroke(); }
      else if (n) c.beginPath(), c.moveTo(px(b.x[0]), side), b.height.forEach((v, k) => c.lineTo(px(b.x[k]), isFinite(v) ? py(v) : side)), c.lineTo(px(b.x[n - 1]), side), c.fill(), c.beginPath(), trace(n, b.x, k => b.height[k]), c.stroke();
    }
    const string = (i, paintWith, width, alpha = 1) => { c.beginPath(), c.globalAlpha = alpha, c.strokeStyle = paintWith, c.lineWidth = width, trace(film.n, film.x, k => film.value(i, k)), c.stroke(), c.globalAlpha = 1; };
    lines(string);
    for (const b of film.barriers) if (b.force && lit != null) for (let k = 0; k < b.x.length; ++k) {
      const f = b.force[lit * b.x.length + k];
      if (!f) continue;
      const size = Math.min(2 + 2.5 * Math.sqrt(f / 255), Math.max(1.4 + 1.2 * Math.sqrt(f / 255), Math.abs(between(b)) * .6));
      c.fillStyle = colour('--touch'), c.globalAlpha = .22, c.beginPath(), c.arc(px(b.x[k]), py(b.height[k]), 2.2 * size, 0, 7), c.fill();
      c.globalAlpha = 1, c.beginPath(), c.arc(px(b.x[k]), py(b.height[k]), size, 0, 7), c.fill();
    }
    if (lit != null) for (const p of film.points) point(c, p, lit, px(p.x), py(p.value(lit)), top, bottom);
    c.restore();
    const total = Math.max(...film.high) - Math.min(...film.low);  // an end that never moves is held
    for (const k of film.n > 1 ? [0, film.n - 1] : []) if (film.x[k] >= from && film.x[k] <= to && film.high[k] - film.low[k] <= 1e-3 * total) {
      const X = px(film.x[k]), Y = py(film.low[k]);
      if (Y > top && Y < bottom) c.strokeStyle = c.fillStyle = colour('--ink'), c.lineWidth = 3, c.lineCap = 'round', c.beginPath(), c.moveTo(X, Math.max(top + 2, Y - 13)), c.lineTo(X, Math.min(bottom - 2, Y + 13)), c.stroke(), c.lineCap = 'butt';
    }
  }

  // A mass is a disc, a hand a triangle; where it is out of the picture an arrow shows on which side.
  report.arrow = (c, p, X, above, top, bottom) => {
    const edge = above ? top + 3 : bottom - 3, d = above ? 7 : -7;
    c.fillStyle = colour(p.hand ? '--hand' : '--mass'), c.globalAlpha = .55, c.beginPath(), c.moveTo(X, edge), c.lineTo(X - 5, edge + d), c.lineTo(X + 5, edge + d), c.fill(), c.globalAlpha = 1;
  };
  function point(c, p, frame, X, Y, top, bottom) {
    const force = p.force?.[frame] ?? 0, tint = colour(p.hand ? '--hand' : '--mass'), up = p.below ? 1 : -1, r = 6;
    if (Y < top || Y > bottom) { report.arrow(c, p, X, Y < top, top, bottom); return; }
    if (force) { const s = 9 + 7 * Math.sqrt(force / 255); c.fillStyle = colour('--touch'), c.globalAlpha = .3, c.beginPath(), c.arc(X, Y, s, 0, 7), c.fill(), c.globalAlpha = 1; }
    c.fillStyle = tint, c.strokeStyle = force ? colour('--touch') : colour('--card'), c.lineWidth = 1.75, c.beginPath();
    if (p.hand) c.moveTo(X, Y), c.lineTo(X - r, Y + up * 2 * r), c.lineTo(X + r, Y + up * 2 * r), c.closePath();
    else c.arc(X, Y + up * r, r, 0, 7);  // it touches with its edge
    c.fill(), c.stroke();
  }

  // Dragging a mouse over the picture zooms in, a double-click out, as in the time panels.
  function zoomable(plot, canvas, state, repaint) {
    const mark = el('div', { className: 'mark' });
    let start = null;
    plot.append(mark);
    const inside = e => Math.min(state.frame.right, Math.max(state.frame.left, e.clientX - canvas.getBoundingClientRect().left));
    canvas.addEventListener('pointerdown', e => { if (e.pointerType === 'mouse' && e.button === 0) start = inside(e), canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener('pointermove', e => { if (start != null) { const p = inside(e); Object.assign(mark.style, { display: 'block', left: Math.min(p, start) + 'px', width: Math.abs(p - start) + 'px', top: state.frame.top + 'px', height: state.frame.bottom - state.frame.top + 'px' }); } });
    const drop = e => {
      if (start == null) return;
      const a = Math.min(start, inside(e)), b = Math.max(start, inside(e));
      start = null, mark.style.display = 'none';
      if (b - a > 5) state.view = [state.frame.valueX(a), state.frame.valueX(b)], repaint();
    };
    canvas.addEventListener('pointerup', drop), canvas.addEventListener('pointercancel', () => { start = null, mark.style.display = 'none'; });
    canvas.addEventListener('dblclick', () => { state.view = null, repaint(); });
  }
  function canvasIn(box, label, focus) {
    const canvas = el('canvas', { className: 'xy', tabIndex: focus ? 0 : -1 }), plot = el('div', { className: 'plot' }, canvas);
    canvas.setAttribute('role', 'img'), canvas.setAttribute('aria-label', label);
    box.append(plot);
    return { canvas, plot, state: { view: null, frame: null } };
  }

  report.panels.snapshots = (panel, box) => {
    const { canvas, plot, state } = canvasIn(box, panel.title, false), legend = el('div', { className: 'legend' }), film = load(panel);
    box.append(legend);
    const repaint = () => {
      const colours = ramp(), pick = i => css(colours[Math.round(75 + 165 * (film.count > 1 ? i / (film.count - 1) : 1))]);
      legend.replaceChildren();
      panel.times.forEach((t, i) => entry(legend, (panel.times[0] > 0 ? '+' : '') + showUnit(t - panel.times[0], 's', 3), pick(i)));  // since the first
      film.barriers.forEach(b => entry(legend, b.label, 'var(--edge)'));
      state.frame = paint(canvas, [film], state.view, null, false, string => { for (let i = 0; i < film.count; ++i) string(i, pick(i), 1.75); });
    };
    zoomable(plot, canvas, state, repaint), charts.push({ repaint }), repaint();
  };

  // The strings and bars of a stage: { show(cut, frame), repaint }.
  report.lines = (cutsOfLines, steps, title, box) => {
    const { canvas, plot, state } = canvasIn(box, title, true), cuts = cutsOfLines.map(lines => lines.map(load)), ghosts = 5;
    let cut = 0, shown = 0;
    const repaint = () => {
      const i = shown, trail = steps[cut] < 2e-3;  // frames of a slow reel have little to do with one another
      state.frame = paint(canvas, cuts[cut], state.view, i, true, (string, film) => {
        if (trail) for (let g = Math.min(ghosts, i); g > 0; --g) string(i - g, colour('--s0'), 1.25, .34 * (1 - g / (ghosts + 1)));
        if (film.count) string(i, colour('--s0'), 2.25);
      });
    };
    zoomable(plot, canvas, state, repaint);
    return { show: (which, i) => { cut = which, shown = i, repaint(); }, repaint };
  };
}
