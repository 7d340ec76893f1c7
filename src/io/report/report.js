// Builds the page from the data in it.
{
  const { data, el, charts } = report, page = document.getElementById('page'), root = document.documentElement;

  let films = null;  // consecutive films share a frame, in which their transport stays in sight
  function card(panel) {
    const box = el('section', { className: 'card' }, el('h2', { textContent: panel.title })), moving = panel.cuts != null;
    if (panel.caption) box.append(el('p', { className: 'caption', textContent: panel.caption }));
    if (moving && !films) page.append(films = el('div', { className: 'films' }));
    (moving ? films : page).append(box);
    return box;
  }

  page.append(el('h1', { textContent: data.title }), el('p', { className: 'lead', textContent: data.lead }));
  const words = { failure: 'Wrong', warning: 'Careful', note: 'Note', good: 'Good' };
  page.append(el('ul', { className: 'verdicts' }, ...data.verdicts.map(v => el('li', { className: v.severity }, el('b', { textContent: words[v.severity] }), v.sentence))));
  if (data.numbers.length) {
    const box = el('section', { className: 'card' });
    box.append(el('dl', { className: 'numbers', style: 'margin:0' }, ...data.numbers.map(n => el('div', {}, el('dt', { textContent: n.label }), el('dd', {}, n.value, ' ', el('small', { textContent: n.unit || '' }))))));
    page.append(box);
  }
  const parts = data.panels.filter(p => p.kind === 'part'), slug = p => 'part-' + parts.indexOf(p);
  if (parts.length) page.append(el('nav', {}, ...parts.map(p => el('a', { href: '#' + slug(p), textContent: p.title }))));
  for (const panel of data.panels)
    if (panel.kind === 'part') page.append(el('h2', { className: 'part', id: slug(panel), textContent: panel.title }));
    else { const box = card(panel); report.panels[panel.kind](panel, box, films); }
  if (data.scene) page.append(el('section', { className: 'card' }, el('details', { open: data.scene.split('\n').length < 40 }, el('summary', { textContent: 'Scene' }), el('pre', { textContent: data.scene }))));
  page.append(el('p', { className: 'hint', textContent: 'Drag over a plot to zoom, double-click to see all of it again, click to move the film there. docs/guide/reports.md explains the panels.' }),
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
