// Shapes of a string over its barriers: a film to play and to scrub, or some snapshots in one picture.
{
  const { colour, el, array, axisScale, showUnit, axes, entry, ramp, css, time, charts } = report;

  function load(panel) {
    const x = array(panel.x), n = x.length, raw = array(panel.frames, Int16Array), count = n ? raw.length / n : 0;
    const value = (i, k) => { const v = raw[i * n + k]; return v === -32768 ? NaN : v * panel.scale; };
    const low = new Float64Array(n).fill(Infinity), high = new Float64Array(n).fill(-Infinity);
    for (let i = 0; i < count; ++i) for (let k = 0; k < n; ++k) { const v = value(i, k); if (v < low[k]) low[k] = v; if (v > high[k]) high[k] = v; }
    const barriers = panel.barriers.map(b => ({ ...b, x: array(b.x), height: array(b.height), force: b.force == null ? null : array(b.force, Uint8Array) }));
    return { x, n, count, value, low, high, barriers, from: n ? x[0] : 0, to: n ? x[n - 1] : 1 };
  }

  // What is seen between two places: all of the motion, and as much of the barriers as leaves it its size.
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

  // The picture without the string; `lines` paints between barriers and the points that touch in frame `lit`.
  function paint(canvas, film, view, lit, envelope, lines) {
    const [from, to] = view ?? [film.from - .012 * (film.to - film.from), film.to + .012 * (film.to - film.from)], y = reach(film, from, to);
    const sx = to - from >= .1 ? { factor: 1, unit: 'm' } : axisScale('m', Math.max(Math.abs(from), Math.abs(to))), sy = axisScale('m', Math.max(Math.abs(y[0]), Math.abs(y[1])));
    const frame = axes(canvas, { height: w => Math.max(210, Math.min(340, w * .36)), x: [from * sx.factor, to * sx.factor], y: y.map(v => v * sy.factor), xLabel: `position [${sx.unit}]`, yLabel: `displacement [${sy.unit}]` });
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
    c.restore();
    const total = Math.max(...film.high) - Math.min(...film.low);  // an end that never moves is held
    for (const k of film.n > 1 ? [0, film.n - 1] : []) if (film.x[k] >= from && film.x[k] <= to && film.high[k] - film.low[k] <= 1e-3 * total) {
      const X = px(film.x[k]), Y = py(film.low[k]);
      if (Y > top && Y < bottom) c.strokeStyle = c.fillStyle = colour('--ink'), c.lineWidth = 3, c.lineCap = 'round', c.beginPath(), c.moveTo(X, Math.max(top + 2, Y - 13)), c.lineTo(X, Math.min(bottom - 2, Y + 13)), c.stroke(), c.lineCap = 'butt';
    }
    return { ...frame, valueX: p => frame.valueX(p) / sx.factor };
  }

  // Dragging a mouse over the picture zooms in, a double-click out, as in the time panels.
  function zoomable(plot, canvas, film, state, repaint) {
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
  function stage(panel, box) {
    const canvas = el('canvas', { className: 'xy', tabIndex: panel.kind === 'film' ? 0 : -1 }), plot = el('div', { className: 'plot' }, canvas), legend = el('div', { className: 'legend' });
    canvas.setAttribute('role', 'img'), canvas.setAttribute('aria-label', panel.title);
    box.append(plot);
    return { canvas, plot, legend, film: load(panel), state: { view: null, frame: null } };
  }

  report.panels.snapshots = (panel, box) => {
    const { canvas, plot, legend, film, state } = stage(panel, box);
    box.append(legend);
    const repaint = () => {
      const colours = ramp(), pick = i => css(colours[Math.round(75 + 165 * (film.count > 1 ? i / (film.count - 1) : 1))]);
      legend.replaceChildren();
      panel.times.forEach((t, i) => entry(legend, showUnit(t, 's', 3), pick(i)));
      film.barriers.forEach(b => entry(legend, b.label, 'var(--edge)'));
      state.frame = paint(canvas, film, state.view, null, false, string => { for (let i = 0; i < film.count; ++i) string(i, pick(i), 1.75); });
    };
    zoomable(plot, canvas, film, state, repaint), charts.push({ repaint }), repaint();
  };

  report.panels.film = (panel, box) => {
    const { canvas, plot, legend, film, state } = stage(panel, box), last = Math.max(0, film.count - 1), ghosts = 5;
    const play = el('button', { type: 'button', className: 'play' }), slide = el('input', { type: 'range', min: 0, max: last, value: 0 }), clock = el('output'), speed = el('select');
    slide.setAttribute('aria-label', 'time'), speed.setAttribute('aria-label', 'speed');
    box.append(el('div', { className: 'controls' }, play, slide, clock, speed), legend);
    entry(legend, 'string', 'var(--s0)');
    film.barriers.forEach(b => entry(legend, b.label, 'var(--edge)'));
    if (film.barriers.some(b => b.force)) entry(legend, 'touching', 'var(--touch)');

    // Slowed down so that some 30 frames pass in a second; a round number, and others around it.
    const natural = 1 / (30 * (panel.step || 1)), power = 10 ** Math.floor(Math.log10(natural)), round = [1, 2, 5, 10].map(m => m * power).find(v => v >= natural * .999);
    const name = slow => slow > 1.001 ? `${+slow.toPrecision(3)} × slower` : slow > .999 ? 'real time' : `${+(1 / slow).toPrecision(3)} × faster`;
    for (const f of [10, 4, 2, 1, .5, .2, .1]) speed.append(el('option', { value: round * f, textContent: name(round * f), selected: f === 1 }));
    const unit = axisScale('s', Math.max(Math.abs(panel.start), Math.abs(panel.start + last * panel.step)) * 1.001), digits = Math.max(0, Math.ceil(-Math.log10(panel.step * unit.factor || 1)) + 1);
    const seconds = i => panel.start + i * panel.step;

    let now = 0, playing = false, before = null, ran = 0;
    const repaint = () => {
      const i = Math.min(last, Math.floor(now));
      state.frame = paint(canvas, film, state.view, i, true, string => {
        for (let g = Math.min(ghosts, i); g > 0; --g) string(i - g, colour('--s0'), 1.25, .34 * (1 - g / (ghosts + 1)));
        if (film.count) string(i, colour('--s0'), 2.25);
      });
      slide.value = i, clock.textContent = `${(seconds(i) * unit.factor).toFixed(digits)} ${unit.unit}`, clock.dataset.frame = i;
    };
    const pointAt = () => { for (const { chart } of charts) chart?.setCursor({ left: chart.valToPos(seconds(Math.floor(now)) * time.factor, 'x'), top: -10 }, true, false); };
    const go = i => { now = Math.max(0, Math.min(last, i)), repaint(), pointAt(); };
    const tick = stamp => {
      if (!playing) return;
      if (before != null) ran += stamp - before, now += (stamp - before) / 1000 / (+speed.value * (panel.step || 1));
      if (now >= last + 1) now %= last + 1;
      before = stamp, repaint(), pointAt(), requestAnimationFrame(tick);
    };
    const toggle = on => { playing = on && last > 0, before = null, play.textContent = playing ? 'Pause' : 'Play', play.dataset.on = playing; if (playing) requestAnimationFrame(tick); };
    play.addEventListener('click', () => toggle(!playing));
    slide.addEventListener('input', () => { toggle(false), go(+slide.value); });
    box.addEventListener('keydown', e => {
      if (e.target === slide || e.target === speed || e.ctrlKey || e.metaKey || e.altKey) return;  // these know the arrows themselves
      const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10 }[e.key], i = Math.floor(now);
      if (step) toggle(false), go(i + step);
      else if (e.key === 'Home' || e.key === 'End') toggle(false), go(e.key === 'Home' ? 0 : last);
      else if (e.key === ' ' && e.target !== play) toggle(!playing);
      else return;
      e.preventDefault();
    });
    report.films.push(t => { const i = Math.round((t - panel.start) / (panel.step || 1)); if (i >= 0 && i <= last) toggle(false), go(i); });
    zoomable(plot, canvas, film, state, repaint), charts.push({ repaint }), toggle(false), repaint();
  };
}
