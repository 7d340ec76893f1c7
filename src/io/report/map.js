// A picture over time (contact map, spectrogram).  uPlot gives axes, cursor and zoom, tied to the time panels; the cells are
// painted over the grid, every pixel with the largest of the cells in it, so that nothing is lost on a narrow screen.
{
  const { el, array, axisScale, showUnit, ramp, css, time, charts } = report;

  report.panels.map = (panel, box) => {
    const y = array(panel.y), cells = array(panel.cells, Uint8Array), rows = y.length, columns = rows ? cells.length / rows : 0, height = panel.height || 260;
    const sy = panel.y_log ? { factor: 1, unit: panel.y_unit } : axisScale(panel.y_unit, Math.max(...y.map(Math.abs), 0)), sv = axisScale(panel.unit, Math.max(Math.abs(panel.low), Math.abs(panel.high)));
    // Rows end halfway to their neighbours.
    const way = panel.y_log ? Math.log : v => v, back = panel.y_log ? Math.exp : v => v, z = Array.from(y, v => way(v * sy.factor)), edge = [];
    for (let r = 0; r <= rows; ++r) edge.push(back(r === 0 ? z[0] - (rows > 1 ? (z[1] - z[0]) / 2 : .5) : r === rows ? z[r - 1] + (rows > 1 ? (z[r - 1] - z[r - 2]) / 2 : .5) : (z[r - 1] + z[r]) / 2));
    const bounds = rows ? [edge[0], edge[rows]] : [panel.y_log ? .1 : 0, 1], width = panel.step * time.factor, start = (panel.start ?? 0) * time.factor, x = Float64Array.from({ length: columns + 1 }, (_, i) => start + i * width);
    const plot = el('div', { className: 'plot' }), legend = el('div', { className: 'legend bar' }), said = el('span', { className: 'said' });
    box.append(plot, legend);
    const decode = q => q === 0 ? panel.low : panel.low + (q - 1) / 254 * (panel.high - panel.low);

    const image = document.createElement('canvas');
    let colours = [], key = '';
    const recolour = () => {  // where the least above nothing has to be seen, the ramp starts some way up
      const all = ramp();
      colours = all.map((_, q) => q === 0 ? all[0] : all[panel.stand_out ? Math.round(70 + (q - 1) / 254 * 185) : q]);
      const stops = Array.from({ length: 17 }, (_, i) => css(colours[Math.max(panel.stand_out ? 1 : 0, Math.round(i / 16 * 255))]));
      const number = v => String(+(v * sv.factor).toPrecision(3));
      legend.replaceChildren(el('span', {}, panel.label ? panel.label + ' ' : '', `${number(panel.low)} ${sv.unit}`), el('i', { className: 'ramp', style: `background:linear-gradient(90deg,${stops})` }), el('span', {}, `${number(panel.high)} ${sv.unit}`), said);
      key = '';
    };
    const rowAt = v => { let a = 0, b = rows; while (b - a > 1) { const m = a + b >> 1; edge[m] <= v ? a = m : b = m; } return a; };
    function fill(u) {
      const { left, top, width: w, height: h } = u.bbox, { min, max } = u.scales.x, W = Math.round(w), H = Math.round(h);
      if (!rows || !columns || W < 1 || H < 1 || min == null) return;
      const want = [W, H, min, max].join();
      if (want !== key) {
        const pixels = new ImageData(W, H), pool = new Uint8Array(rows);
        const at = p => panel.y_log ? bounds[0] * (bounds[1] / bounds[0]) ** (1 - p / H) : bounds[0] + (bounds[1] - bounds[0]) * (1 - p / H);
        const span = Array.from({ length: H }, (_, p) => { const a = rowAt(at(p + 1)), b = rowAt(at(p)); return [a, Math.max(a, edge[b] >= at(p) ? b - 1 : b)]; });
        for (let i = 0; i < W; ++i) {
          const from = (min - start + (max - min) * i / W) / width, to = (min - start + (max - min) * (i + 1) / W) / width, a = Math.max(0, Math.floor(from + 1e-9)), b = Math.min(columns, Math.max(Math.floor(from + 1e-9) + 1, Math.floor(to + 1e-9)));
          pool.fill(0);
          for (let k = a; k < b; ++k) for (let r = 0, o = k * rows; r < rows; ++r) if (cells[o + r] > pool[r]) pool[r] = cells[o + r];
          for (let p = 0; p < H; ++p) {
            let q = 0;
            for (let r = span[p][0]; r <= span[p][1]; ++r) if (pool[r] > q) q = pool[r];
            if (q) pixels.data.set([...colours[q], 255], 4 * (p * W + i));
          }
        }
        image.width = W, image.height = H, image.getContext('2d').putImageData(pixels, 0, 0), key = want;
      }
      u.ctx.drawImage(image, Math.round(left), Math.round(top));
    }
    const digits = v => v == null ? '' : panel.y_log ? (/^[125]0*$/.test(String(+v.toPrecision(6)).replace('.', '').replace(/^0+/, '')) ? (v >= 1000 ? `${+(v / 1000).toPrecision(3)}k` : String(+v.toPrecision(3))) : '') : String(+v.toPrecision(6));
    const hover = u => {
      const { left, top } = u.cursor;
      if (!u.over.matches(':hover') || !(left >= 0 && top >= 0)) { said.textContent = ''; return; }
      const t = u.posToVal(left, 'x'), v = u.posToVal(top, 'y'), r = rowAt(v), q = cells[Math.min(columns - 1, Math.max(0, Math.floor((t - start) / width))) * rows + r];
      said.textContent = `${showUnit(t / time.factor, 's')}, ${showUnit(y[r], panel.y_unit, 3)}: ${q ? showUnit(decode(q), panel.unit, 3) : panel.low ? `≤ ${panel.low} ${panel.unit}` : '0 ' + panel.unit}`;
    };
    recolour();
    const chart = new uPlot({
      width: plot.clientWidth || 600, height,
      cursor: { sync: { key: 'time', setSeries: false, scales: ['x', null] }, drag: { x: true, y: false }, points: { show: false } },
      scales: { x: { time: false }, y: { distr: panel.y_log ? 3 : 1, range: () => bounds } },
      series: [{}, { paths: () => null, points: { show: false } }],
      axes: report.timeAxes(`${panel.y_label}${sy.unit ? ` [${sy.unit}]` : ''}`, (u, list) => list.map(digits), panel.y_log ? v => digits(v) : null),
      hooks: { draw: [fill], setCursor: [hover] },
    }, [x, Float64Array.from(x, () => bounds[0])], plot);
    charts.push({ chart, plot, height, recolour }), report.seekOnClick(chart);
  };
}
