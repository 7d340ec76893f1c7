// A pitch over time among the notes of the keyboard: dots, at their distance from the nearest note.
{
  const { colour, el, array, entry, time, charts } = report;
  const names = ['C', 'C♯', 'D', 'D♯', 'E', 'F', 'F♯', 'G', 'G♯', 'A', 'A♯', 'B'];
  const note = m => names[(m % 12 + 12) % 12] + (Math.floor(m / 12) - 1);

  report.panels.pitch = (panel, box) => {
    const hz = array(panel.array), midi = Float64Array.from(hz, f => f > 0 ? 69 + 12 * Math.log2(f / 440) : NaN), height = 230;
    const x = Float64Array.from(hz, (_, i) => (panel.start + i * panel.step) * time.factor), y = Array.from(midi, v => isFinite(v) ? v : null);
    const plot = el('div', { className: 'plot' }), legend = el('div', { className: 'legend' });
    box.append(plot, legend);
    const said = entry(legend, 'pitch', 'var(--s0)');
    // All but stray values are in the picture: from a semitone below the lowest to one above the highest.
    const sorted = y.filter(v => v != null).sort((a, b) => a - b), at = q => sorted[Math.floor(q * (sorted.length - 1))] ?? 69;
    const low = Math.floor(Math.min(at(.05) - .7, at(.5) - 1)), high = Math.ceil(Math.max(at(.95) + .7, at(.5) + 1)), every = [1, 2, 3, 4, 6, 12, 24].find(s => (high - low) / s <= 9) ?? 36;
    const splits = () => { const list = []; for (let v = Math.ceil(low / every) * every; v <= high; v += every) list.push(v); return list; };
    const dot = 1.6 * (devicePixelRatio || 1);
    const dots = u => {
      const { left, top, width, height: h } = u.bbox, { ctx } = u;
      ctx.save(), ctx.beginPath(), ctx.rect(left, top, width, h), ctx.clip(), ctx.fillStyle = colour('--s0');
      for (let i = 0; i < y.length; ++i) if (y[i] != null) ctx.beginPath(), ctx.arc(u.valToPos(x[i], 'x', true), u.valToPos(y[i], 'y', true), dot, 0, 7), ctx.fill();
      ctx.restore();
    };
    const axes = report.timeAxes('note', (u, list) => list.map(note));
    axes[1].splits = splits;
    const chart = new uPlot({
      width: plot.clientWidth || 600, height,
      cursor: { sync: { key: 'time', setSeries: false }, drag: { x: true, y: false }, points: { show: false } },
      scales: { x: { time: false, range: (u, a, b) => [u.data[0].length && a <= x[0] ? 0 : a, b] }, y: { range: () => [low, high] } },
      series: [{}, { paths: () => null, points: { show: false } }],
      axes,
      hooks: {
        draw: [dots],
        setCursor: [u => {
          const v = u.cursor.idx == null ? null : y[u.cursor.idx], near = Math.round(v), cents = Math.round(100 * (v - near));
          said.textContent = v == null ? '' : `${note(near)} ${cents > 0 ? '+' : cents < 0 ? '−' : '±'}${Math.abs(cents)} ct, ${hz[u.cursor.idx].toFixed(2)} Hz`;
        }],
      },
    }, [x, y], plot);
    charts.push({ chart, plot, height }), report.seekOnClick(chart);
  };
}
