// All that moves, in one picture and at the same time: strings and bars (film.js), surfaces (surface.js), and below them
// masses and hands side by side, each at its height, with what they touch.
{
  const { colour, el, axisScale, axes, entry, loadPoint, array, charts } = report;

  function load(cut) {
    const points = cut.points.map(loadPoint), links = cut.links.map(l => ({ ...l, force: l.force == null ? null : array(l.force, Uint8Array) }));
    let low = Infinity, high = -Infinity;
    const see = v => { if (isFinite(v)) low = Math.min(low, v), high = Math.max(high, v); };
    const steady = points.filter(p => !p.tool);  // a hammer that flies off is left out of the scale
    for (const p of steady.length ? steady : points) for (let i = 0; i < p.count; ++i) see(p.value(i));
    const least = low, most = high, reach = high > low ? high - low : Infinity;  // a wall far away is left out too
    for (const l of links) if (l.other == null && l.height >= least - reach && l.height <= most + reach) see(l.height);
    if (!(high > low)) low = (isFinite(low) ? low : 0) - 1e-3, high = low + 2e-3;
    const room = .1 * (high - low);
    return { points, links, y: [low - 1.6 * room, high + 1.2 * room], count: points[0]?.count ?? 0 };
  }

  // The masses and hands of a stage that meet no string, bar or surface: { show(cut, frame), repaint }.
  function columns(cutsOfPoints, title, box) {
    const canvas = el('canvas', { className: 'xy', tabIndex: 0 }), cuts = cutsOfPoints.map(load);
    canvas.setAttribute('role', 'img'), canvas.setAttribute('aria-label', title);
    box.append(el('div', { className: 'plot' }, canvas));
    let film = cuts[0], shown = 0;
    const repaint = () => {
      canvas.dataset.from = film.y[0], canvas.dataset.to = film.y[1];  // metres; tests read it
      const sy = axisScale('m', Math.max(Math.abs(film.y[0]), Math.abs(film.y[1]))), n = Math.max(1, film.points.length);
      const frame = axes(canvas, { height: w => Math.max(220, Math.min(300, w * .34)), x: [0, n], y: film.y.map(v => v * sy.factor), yLabel: `height [${sy.unit}]` });
      const { c, left, right, top, bottom } = frame, px = k => left + (k + .5) / n * (right - left), py = v => frame.py(v * sy.factor), wide = Math.min(60, .36 * (right - left) / n), r = Math.max(4, Math.min(9, wide * .4));
      const label = (text, X, Y) => { let t = text; const room = (right - left) / n - 4; while (t.length > 2 && c.measureText(t).width > room) t = t.slice(0, -2) + '…'; c.fillText(t, X, Y); };
      c.textAlign = 'center', c.fillStyle = colour('--soft');
      if (n <= 16) film.points.forEach((p, k) => label(p.label, px(k), bottom + 17));
      c.save(), c.beginPath(), c.rect(left, top, right - left, bottom - top), c.clip();
      film.points.forEach((p, k) => {  // where it has been, fading
        c.strokeStyle = colour(p.hand ? '--hand' : '--mass'), c.lineWidth = 2, c.lineCap = 'round';
        for (let g = 14; g > 0; --g) if (shown - g >= 0) c.globalAlpha = .3 * (1 - g / 15), c.beginPath(), c.moveTo(px(k), py(p.value(shown - g))), c.lineTo(px(k), py(p.value(shown - g + 1)) + .01), c.stroke();
        c.globalAlpha = 1, c.lineCap = 'butt';
      });
      for (const l of film.links) {
        const force = l.force?.[shown] ?? 0, X = px(l.point);
        c.strokeStyle = force ? colour('--touch') : colour('--edge'), c.lineWidth = force ? 2.5 : 1.5;
        if (l.other != null) { c.setLineDash(force ? [] : [3, 4]), c.beginPath(), c.moveTo(X, py(film.points[l.point].value(shown))), c.lineTo(px(l.other), py(film.points[l.other].value(shown))), c.stroke(), c.setLineDash([]); continue; }
        const Y = py(l.height), d = l.above ? -10 : 10;
        c.fillStyle = colour('--barrier'), c.fillRect(X - wide, Math.min(Y, Y + d), 2 * wide, 10), c.beginPath(), c.moveTo(X - wide, Y), c.lineTo(X + wide, Y), c.stroke();
        if (force) c.fillStyle = colour('--touch'), c.globalAlpha = .3, c.beginPath(), c.arc(X, Y, 8 + 9 * Math.sqrt(force / 255), 0, 7), c.fill(), c.globalAlpha = 1;
      }
      film.points.forEach((p, k) => {
        const lower = film.links.some(l => l.point === k && l.other == null && !l.above), X = px(k), Y = py(p.value(shown)) + (p.hand ? 0 : lower ? -r : 0);
        if (p.tool && (Y < top || Y > bottom)) { report.arrow(c, p, X, Y < top, top, bottom); return; }
        c.fillStyle = colour(p.hand ? '--hand' : '--mass'), c.strokeStyle = colour('--card'), c.lineWidth = 1.5, c.beginPath();
        p.hand ? (c.moveTo(X, Y), c.lineTo(X - r, Y - 1.8 * r), c.lineTo(X + r, Y - 1.8 * r), c.closePath()) : c.arc(X, Y, r, 0, 7);
        c.fill(), c.stroke();
      });
      c.restore();
    };
    return { show: (cut, i) => { film = cuts[cut], shown = i, repaint(); }, repaint };
  }

  report.panels.stage = (panel, box, group) => {
    const cuts = panel.cuts, first = cuts[0], pictures = [], legend = el('div', { className: 'legend' });
    if (first.lines.length) pictures.push(report.lines(cuts.map(c => c.lines), cuts.map(c => c.reel.step), panel.title, box));
    if (first.surfaces.length) {
      const grid = el('div', { className: 'surfaces', style: `--n:${Math.min(2, first.surfaces.length)}` });
      box.append(grid);
      first.surfaces.forEach((s, k) => { const one = el('div'); grid.append(one), pictures.push(report.surface(cuts.map(c => c.surfaces[k]), s.name || panel.title, one)); });
    }
    if (first.points.length) pictures.push(columns(cuts, panel.title, box));
    box.append(legend);
    // Names where they are few, kinds where they are many.
    const shapes = [...first.lines, ...first.surfaces], points = [...shapes.flatMap(s => s.points), ...first.points], barriers = first.lines.flatMap(s => s.barriers), told = new Set();
    const tell = (label, paint) => { if (label && !told.has(label + paint)) told.add(label + paint), entry(legend, label, paint); };
    for (const l of first.lines) tell(first.lines.length > 1 ? l.what : l.name || l.what, 'var(--s0)');
    const few = barriers.length + points.length <= 6;
    for (const b of barriers) tell(few ? b.label : 'barrier', 'var(--edge)');
    for (const p of points) tell(few ? p.label : p.hand ? 'hand' : 'mass', p.hand ? 'var(--hand)' : 'var(--mass)');
    if (first.links.some(l => l.other == null)) tell('what it meets', 'var(--edge)');
    if (cuts.some(c => [...c.links, ...[...c.lines, ...c.surfaces].flatMap(s => [...s.barriers, ...s.points])].some(x => x.force != null))) tell('touching', 'var(--touch)');
    charts.push({ repaint: () => pictures.forEach(p => p.repaint()), recolour: () => pictures.forEach(p => p.recolour?.()) });
    report.transport.join({ reels: cuts.map(c => c.reel), show: (cut, i) => pictures.forEach(p => p.show(cut, i)) }, group);
  };
}
