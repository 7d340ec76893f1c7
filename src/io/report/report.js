// Builds the page from the data in it.
{
  const { data, el, charts } = report, page = document.getElementById('page'), root = document.documentElement;

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
  for (const panel of data.panels) report.panels[panel.kind](panel, card(panel.title, panel.caption));
  for (const t of data.tables) table(t);
  if (data.scene) page.append(el('section', { className: 'card' }, el('details', { open: data.scene.split('\n').length < 40 }, el('summary', { textContent: 'Scene' }), el('pre', { textContent: data.scene }))));
  page.append(el('p', { className: 'hint', textContent: 'Drag over a plot to zoom, double-click to see all of it again.' }),
              el('footer', { textContent: data.footer }));

  const refit = () => charts.forEach(c => c.repaint ? c.repaint() : c.chart.setSize({ width: c.plot.clientWidth, height: c.height }));
  const recolour = () => charts.forEach(c => { c.recolour?.(); c.repaint ? c.repaint() : c.chart.redraw(false, true); });
  let waiting = 0;
  addEventListener('resize', () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(refit); });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);
  // Paper is white, whatever the screen is.
  addEventListener('beforeprint', () => { root.dataset.print = ''; recolour(); });
  addEventListener('afterprint', () => { delete root.dataset.print; recolour(); });
  refit();
  root.dataset.drawn = charts.length;  // tests wait for this
}
