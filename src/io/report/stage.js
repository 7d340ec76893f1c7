// Masses and hands side by side, each at its height, with what they touch.
{
  const { colour, el, axisScale, axes, entry, loadPoint, array, charts } = report;

  function load(cut) {
    const points = cut.points.map(loadPoint), links = cut.links.map(l => ({ ...l, force: l.force == null ? null : array(l.force, Uint8Array) }));
    let low = Infinity, high = -Infinity;
    const see = v => { if (isFinite(v)) low = Math.min(low, v), high = Math.max(high, v); };
    for (const p of points) for (let i = 0; i < p.count; ++i) see(p.value(i));
    for (const l of links) if (l.other == null) see(l.height);
    if (!(high > low)) low = (isFinite(low) ? low : 0) - 1e-3, high = low + 2e-3;
    const room = .1 * (high - low);
    return { points, links, y: [low - 1.6 * room, high + 1.2 * room], count: points[0]?.count ?? 0 };
  }

  report.panels.stage = (panel, box, group) => {
    const canvas = el('canvas', { className: 'xy', tabIndex: 0 }), legend = el('div', { className: 'legend' }), cuts = panel.cuts.map(load);
    canvas.setAttribute('role', 'img'), canvas.setAttribute('aria-label', panel.title);
    box.append(el('div', { className: 'plot' }, canvas), legend);
    if (cuts[0].points.some(p => !p.hand)) entry(legend, 'mass', 'var(--mass)');
    if (cuts[0].points.some(p => p.hand)) entry(legend, 'hand', 'var(--hand)');
    if (cuts[0].links.some(l => l.other == null)) entry(legend, 'what it meets', 'var(--edge)');
    if (cuts.some(c => c.links.some(l => l.force))) entry(legend, 'pushing', 'var(--touch)');
    let film = cuts[0], shown = 0;
    const repaint = () => {
      const sy = axisScale('m', Math.max(Math.abs(film.y[0]), Math.abs(film.y[1]))), n = Math.max(1, film.points.length);
      const frame = axes(canvas, { height: w => Math.max(220, Math.min(300, w * .34)), x: [0, n], y: film.y.map(v => v * sy.factor), xTicks: false, xLabel: '', yLabel: `height [${sy.unit}]` });
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
        c.fillStyle = colour(p.hand ? '--hand' : '--mass'), c.strokeStyle = colour('--card'), c.lineWidth = 1.5, c.beginPath();
        p.hand ? (c.moveTo(X, Y), c.lineTo(X - r, Y - 1.8 * r), c.lineTo(X + r, Y - 1.8 * r), c.closePath()) : c.arc(X, Y, r, 0, 7);
        c.fill(), c.stroke();
      });
      c.restore();
    };
    charts.push({ repaint });
    report.transport.join({ reels: panel.cuts.map(c => c.reel), show: (cut, i) => { film = cuts[cut], shown = i, repaint(); } }, group);
  };
}
