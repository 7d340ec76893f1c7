// A membrane or plate, seen from above and a little from the side: a mesh, coloured by its height.  Dragging turns it.
{
  const { colour, el, array, axisScale, showUnit, loadPoint, ramp } = report;

  // Values on a grid, some of whose places may be missing (a circle): looked up between its points, zero outside.
  function load(cut) {
    const x = array(cut.x), y = array(cut.y), n = x.length, raw = array(cut.frames, Int16Array), count = n ? raw.length / n : 0;
    const lines = v => [...new Set(Array.from(v, q => Math.fround(q)))].sort((a, b) => a - b).filter((q, i, all) => !i || q - all[i - 1] > 1e-6 * (all[all.length - 1] - all[0]));
    const xs = lines(x), ys = lines(y), nearest = (list, v) => Math.round((v - list[0]) / (list[list.length - 1] - list[0]) * (list.length - 1));
    const at = new Int32Array(xs.length * ys.length).fill(-1);
    for (let k = 0; k < n; ++k) at[nearest(ys, y[k]) * xs.length + nearest(xs, x[k])] = k;
    const x0 = xs[0], x1 = xs[xs.length - 1], y0 = ys[0], y1 = ys[ys.length - 1];
    const node = (i, j, f) => { const k = i < 0 || j < 0 || i >= xs.length || j >= ys.length ? -1 : at[j * xs.length + i]; return k < 0 || raw[f * n + k] === -32768 ? 0 : raw[f * n + k]; };
    const value = (X, Y, f) => {
      const u = (X - x0) / (x1 - x0) * (xs.length - 1), v = (Y - y0) / (y1 - y0) * (ys.length - 1), i = Math.floor(u), j = Math.floor(v), a = u - i, b = v - j;
      return cut.scale * ((1 - b) * ((1 - a) * node(i, j, f) + a * node(i + 1, j, f)) + b * ((1 - a) * node(i, j + 1, f) + a * node(i + 1, j + 1, f)));
    };
    // Quads: rings and spokes of a circle, rows and columns of a rectangle.
    const places = [], quads = [];
    const add = (U, V, place) => {
      for (let j = 0; j <= V; ++j) for (let i = 0; i <= U; ++i) places.push(place(i / U, j / V));
      for (let j = 0; j < V; ++j) for (let i = 0; i < U; ++i) { const k = j * (U + 1) + i; quads.push([k, k + 1, k + U + 2, k + U + 1]); }
    };
    if (cut.round) add(48, 14, (u, v) => [x1 * v * Math.cos(2 * Math.PI * u), x1 * v * Math.sin(2 * Math.PI * u)]);
    else add(32, Math.max(8, Math.min(40, Math.round(32 * (y1 - y0) / (x1 - x0)))), (u, v) => [x0 + u * (x1 - x0), y0 + v * (y1 - y0)]);
    let most = 0;
    for (const v of raw) if (v !== -32768 && Math.abs(v) > most) most = Math.abs(v);
    return { value, places, quads, count, most: most * cut.scale, middle: [(x0 + x1) / 2, (y0 + y1) / 2], round: cut.round, size: Math.max(x1 - x0, y1 - y0) / 2, across: cut.round ? `${showUnit(x1 - x0, 'm', 3)} across` : sides(x1 - x0, y1 - y0), points: cut.points.map(loadPoint) };
  }

  function sides(a, b) {
    const s = axisScale('m', Math.min(a, b)), side = v => +(v * s.factor).toPrecision(3);
    return `${side(a)} × ${side(b)} ${s.unit}`;
  }

  // One membrane or plate of a stage: { show(cut, frame), repaint, recolour }.
  report.surface = (cutsOfOne, title, box) => {
    const canvas = el('canvas', { className: 'xy turn', tabIndex: 0 }), legend = el('div', { className: 'legend bar' }), cuts = cutsOfOne.map(load);
    canvas.setAttribute('role', 'img'), canvas.setAttribute('aria-label', title);
    box.append(el('div', { className: 'plot' }, canvas), legend);
    let film = cuts[0], shown = 0, turn = -.5, lean = .98, colours = ramp('--heights');
    const explain = () => {
      const stops = Array.from({ length: 17 }, (_, i) => `rgb(${colours[Math.round(i / 16 * 255)]})`);
      legend.replaceChildren(el('span', { className: 'name', textContent: cutsOfOne[0].name }), el('span', { textContent: film.across }), el('span', { textContent: '−' + showUnit(film.most, 'm', 3) }),
        el('i', { className: 'ramp', style: `background:linear-gradient(90deg,${stops})` }), el('span', { textContent: showUnit(film.most, 'm', 3) }));
    };
    const repaint = () => {
      const w = canvas.clientWidth || 600, h = Math.round(Math.max(220, Math.min(380, w * .48))), r = devicePixelRatio || 1;
      if (canvas.width !== Math.round(w * r) || canvas.height !== Math.round(h * r)) canvas.width = Math.round(w * r), canvas.height = Math.round(h * r), canvas.style.height = h + 'px';
      const c = canvas.getContext('2d'), zoom = Math.min(w / 2.3, h / (2 * Math.cos(lean) + .8 * Math.sin(lean))), lift = .34 / (film.most || 1);
      c.setTransform(r, 0, 0, r, 0, 0), c.clearRect(0, 0, w, h), c.lineJoin = 'round';
      const ct = Math.cos(turn), st = Math.sin(turn), cl = Math.cos(lean), sl = Math.sin(lean);
      // Seen without perspective; a far point is drawn first.
      const see = (X, Y, z) => { const a = (X - film.middle[0]) / film.size, b = (Y - film.middle[1]) / film.size, x = a * ct - b * st, d = a * st + b * ct; return [w / 2 + zoom * x, h / 2 - zoom * (d * cl + Math.max(-1.6, Math.min(1.6, z * lift)) * sl), d]; };
      const z = film.places.map(([X, Y]) => film.value(X, Y, shown)), at = film.places.map(([X, Y], k) => see(X, Y, z[k]));
      const order = film.quads.map((q, k) => [at[q[0]][2] + at[q[1]][2] + at[q[2]][2] + at[q[3]][2], k]).sort((a, b) => b[0] - a[0]);
      const line = colour('--mesh');
      c.lineWidth = .6;
      for (const [, k] of order) {
        const q = film.quads[k], mean = (z[q[0]] + z[q[1]] + z[q[2]] + z[q[3]]) / 4, tilt = (z[q[1]] + z[q[2]] - z[q[0]] - z[q[3]]) * lift * 1.2;
        const [R, G, B] = colours[Math.round(127.5 + 127.5 * Math.max(-1, Math.min(1, mean / (film.most || 1))))], shade = Math.max(-18, Math.min(18, 130 * tilt));
        c.beginPath(), q.forEach((v, i) => i ? c.lineTo(at[v][0], at[v][1]) : c.moveTo(at[v][0], at[v][1])), c.closePath();
        c.fillStyle = `rgb(${R + shade},${G + shade},${B + shade})`, c.fill();
        c.strokeStyle = film.round && k < 48 ? c.fillStyle : line, c.stroke();  // where all spokes meet there would be a blot
      }
      for (const p of film.points) {
        const force = p.force?.[shown] ?? 0, high = p.value(shown);
        if (!force && Math.abs(high) * lift > 1.6) continue;  // a tool that is far away
        const [X, foot] = see(p.x, p.y, film.value(p.x, p.y, shown)), Y = force ? foot : see(p.x, p.y, high)[1], up = p.below ? 1 : -1, tint = colour(p.hand ? '--hand' : '--mass');
        c.strokeStyle = tint, c.globalAlpha = .5, c.lineWidth = 1, c.setLineDash([3, 3]), c.beginPath(), c.moveTo(X, foot), c.lineTo(X, Y), c.stroke(), c.setLineDash([]), c.globalAlpha = 1;
        c.fillStyle = force ? colour('--touch') : tint, c.globalAlpha = force ? .4 : .35, c.beginPath(), c.ellipse(X, foot, force ? 8 + 12 * Math.sqrt(force / 255) : 5, (force ? 8 + 12 * Math.sqrt(force / 255) : 5) * cl, 0, 0, 7), c.fill(), c.globalAlpha = 1;
        c.fillStyle = tint, c.strokeStyle = force ? colour('--touch') : colour('--card'), c.lineWidth = 1.75, c.beginPath();
        p.hand ? (c.moveTo(X, Y), c.lineTo(X - 6, Y + up * 13), c.lineTo(X + 6, Y + up * 13), c.closePath()) : c.arc(X, Y + up * 7, 7, 0, 7);
        c.fill(), c.stroke();
      }
    };
    let from = null;
    canvas.addEventListener('pointerdown', e => { if (e.pointerType === 'mouse' && e.button) return; from = [e.clientX, e.clientY, turn, lean], canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener('pointermove', e => { if (from) turn = from[2] + (e.clientX - from[0]) * .008, lean = Math.max(.15, Math.min(1.45, from[3] + (e.pointerType === 'mouse' ? (e.clientY - from[1]) * .006 : 0))), repaint(); });
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, () => { from = null; });
    explain();
    return { show: (cut, i) => { if (film !== cuts[cut]) film = cuts[cut], explain(); shown = i, repaint(); }, repaint, recolour: () => { colours = ramp('--heights'), explain(); } };
  };
}
