// Curves in the plane (force over compression, error over rate, spectra): uPlot needs rising x, so these are painted here.
{
  const { colour, strokes, el, array, axisScale, show, largest, axes, dashes, entry, charts } = report;

  report.panels.plane = (panel, box) => {
    const canvas = el('canvas', { className: 'xy' }), legend = el('div', { className: 'legend' });
    box.append(el('div', { className: 'plot' }, canvas), legend);
    const values = panel.series.map((s, i) => entry(legend, s.label, `var(--s${i % 8})`, dashes(i)));
    const log = panel.log, xLog = panel.x_log || log, kept = v => panel.x_from == null || v >= panel.x_from;
    const xs = panel.series.map(s => array(s.x)), ys = panel.series.map(s => array(s.array)), unit = panel.series[0].unit;
    const sx = xLog ? { factor: 1, unit: panel.x_unit } : axisScale(panel.x_unit, largest(xs)), sy = log ? { factor: 1, unit } : axisScale(unit, largest(ys));
    const curves = xs.map((x, i) => Array.from(x, (u, n) => !kept(u) || !isFinite(ys[i][n]) || xLog && !(u > 0) || log && !(ys[i][n] > 0) ? null : [u * sx.factor, ys[i][n] * sy.factor]));
    const points = curves.flat().filter(Boolean), reach = (i, f, z) => points.reduce((m, q) => f(m, q[i]), z);
    let x0 = reach(0, Math.min, Infinity), x1 = reach(0, Math.max, -Infinity), y0 = reach(1, Math.min, log ? Infinity : 0), y1 = reach(1, Math.max, log ? -Infinity : 0);
    if (log) x0 /= 1.15, x1 *= 1.15, y0 /= 1.5, y1 *= 1.5;
    else if (panel.x_log) y1 += (y1 - y0) * .04;
    if (panel.x_from != null) x0 = panel.x_from * sx.factor;
    if (!(x1 > x0)) x0 = xLog ? .1 : 0, x1 = 1;
    if (!(y1 > y0)) y0 = log ? .1 : 0, y1 = 1;
    let frame = null, at = null;  // where the pointer is
    const paint = () => {
      frame = axes(canvas, { height: w => Math.min(panel.x_log && !log ? 300 : 360, w * .62), x: [x0, x1], y: [y0, y1], xLog, yLog: log, xLabel: `${panel.x_label}${sx.unit ? ` [${sx.unit}]` : ''}`, yLabel: sy.unit ? `[${sy.unit}]` : '' });
      const { c, px, py, left, right, top, bottom } = frame, near = curves.map(() => null);
      c.save(), c.beginPath(), c.rect(left, top, right - left, bottom - top), c.clip(), c.lineWidth = 1.25;
      curves.forEach((curve, i) => {
        c.strokeStyle = c.fillStyle = strokes(i), c.setLineDash(dashes(i)), c.beginPath();
        let pen = false, best = 30;
        for (const q of curve) {
          if (q) pen ? c.lineTo(px(q[0]), py(q[1])) : c.moveTo(px(q[0]), py(q[1]));
          pen = !!q;
          // The nearest point; over a logarithmic x (spectra) the highest of those nearby, so that peaks are easy to read.
          if (q && at) { const d = panel.x_log && !log ? (Math.abs(px(q[0]) - at[0]) < 5 ? -1e3 + py(q[1]) : Infinity) : Math.hypot(px(q[0]) - at[0], py(q[1]) - at[1]); if (d < best) best = d, near[i] = q; }
        }
        c.stroke();
        if (panel.points) for (const q of curve) if (q) c.beginPath(), c.arc(px(q[0]), py(q[1]), 3, 0, 7), c.fill();
      });
      c.setLineDash([]);
      near.forEach((q, i) => {
        values[i].textContent = q ? `${show(q[1])} ${sy.unit} at ${show(q[0])} ${sx.unit}` : '';
        if (q) c.beginPath(), c.arc(px(q[0]), py(q[1]), 4, 0, 7), c.fillStyle = strokes(i), c.fill(), c.strokeStyle = colour('--card'), c.stroke();
      });
      c.restore();
    };
    canvas.addEventListener('pointermove', e => { const b = canvas.getBoundingClientRect(); at = [e.clientX - b.left, e.clientY - b.top], paint(); });
    canvas.addEventListener('pointerleave', () => { at = null, paint(); });
    charts.push({ repaint: paint }), paint();
  };
}
