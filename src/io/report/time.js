// Curves over time, by uPlot; or parts of a whole, one on top of the other.
{
  const { data, colour, strokes, el, array, axisScale, show, showUnit, largest, dashes, entry, time, charts } = report;

  report.timeAxes = (yLabel, values, keep) => {
    const axis = { stroke: () => colour('--soft'), grid: { stroke: () => colour('--grid'), width: 1 }, ticks: { stroke: () => colour('--grid'), width: 1 }, font: '12px system-ui, sans-serif', labelFont: '12px system-ui' };
    const filter = keep ? (u, list) => list.map(v => keep(v) ? v : null) : undefined, y = keep ? { filter, grid: { ...axis.grid, filter }, ticks: { ...axis.ticks, filter } } : {};
    return [{ ...axis, label: `time [${time.unit}]`, labelSize: 18, size: 34 }, { ...axis, label: yLabel, labelSize: 16, size: 62, gap: 3, values, ...y, ticks: { ...axis.ticks, ...y.ticks, size: 5 } }];
  };
  // A click (not a drag) moves the films to that time.
  report.seekOnClick = chart => {
    let from = null;
    chart.over.addEventListener('pointerdown', e => { from = e.clientX; });
    chart.over.addEventListener('click', e => { if (from != null && Math.abs(e.clientX - from) < 3) report.transport.seek(chart.posToVal(chart.cursor.left, 'x') / time.factor); });
  };

  report.panels.time = (panel, box) => {
    const values = panel.series.map(s => array(s.array));
    const count = values[0].length, step = panel.step ?? data.step_s, unit = panel.series[0].unit, y = axisScale(unit, largest(values));
    const x = Float64Array.from({ length: count }, (_, i) => i * step * time.factor);
    const ys = values.map(v => Float64Array.from(v, z => panel.log ? Math.max(Math.abs(z), 1e-300) : z * y.factor));
    const legend = el('div', { className: 'legend' }), plot = el('div', { className: 'plot' }), height = panel.height || 220;
    // Stacked: every curve is drawn at the sum of those up to it, and the space below it is its own.
    const drawn = panel.stacked ? ys.map((v, k) => v.map((_, i) => { let sum = 0; for (let j = 0; j <= k; ++j) sum += ys[j][i]; return sum; })) : ys;
    const fill = i => panel.stacked ? strokes(i) + '88' : undefined;
    const labels = panel.series.map((s, i) => entry(legend, s.label, `var(--s${(s.colour ?? i) % 8})`, panel.stacked ? [] : dashes(s.colour ?? i)));
    if (panel.audio) box.append(panel.player = el('audio', { controls: true, src: panel.audio, preload: 'auto' }), el('p', { className: 'hint save' }, el('a', { href: panel.audio, download: `${data.title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'sound'}.flac`, textContent: 'Save the sound (FLAC)' })));
    box.append(plot, legend);
    const tick = v => v == null ? '' : panel.log ? (Number.isInteger(+Math.log10(v).toFixed(6)) ? v.toExponential(0) : '') : String(+v.toPrecision(6));
    const chart = new uPlot({
      width: plot.clientWidth || 600, height,
      cursor: { sync: { key: 'time', setSeries: false }, drag: { x: true, y: false } },
      scales: { x: { time: false }, y: panel.log ? { distr: 3 } : panel.stacked ? { range: (u, low, high) => [0, high > 0 ? 1.04 * high : 1] } : {} },
      bands: panel.stacked ? panel.series.slice(1).map((_, i) => ({ series: [i + 2, i + 1], fill: () => fill(i + 1) })) : [],
      series: [{}].concat(panel.series.map((s, i) => ({ stroke: () => strokes(s.colour ?? i), width: panel.stacked ? .75 : 1.25, dash: panel.stacked ? [] : dashes(s.colour ?? i), points: { show: count < 60 && !panel.stacked }, fill: panel.stacked && i === 0 ? () => fill(0) : undefined }))),
      axes: report.timeAxes(y.unit ? `[${panel.log ? unit : y.unit}]` : '', (u, list) => list.map(tick)),
      hooks: { setCursor: [u => labels.forEach((label, i) => { const at = u.cursor.idx; label.textContent = at == null ? '' : panel.log || !unit ? show(ys[i][at]) + ' ' + unit : showUnit(ys[i][at] / y.factor, unit); })] },
    }, [x, ...drawn], plot);
    charts.push({ chart, plot, height }), report.seekOnClick(chart);
    if (panel.player) {  // the cursor follows the sound
      const follow = () => { if (panel.player.paused) return; chart.setCursor({ left: chart.valToPos(panel.player.currentTime * time.factor, 'x'), top: 10 }), report.transport.follow(panel.player.currentTime), requestAnimationFrame(follow); };
      panel.player.addEventListener('play', follow);
    }
  };
}
