// Tables, and cards of parameters.
{
  const { el } = report;

  report.panels.table = (t, box) => {
    const body = el('tbody'), numeric = t.columns.map((_, i) => t.rows.length > 0 && t.rows.every(r => /^[-−–]?$|^[-−]?[\d.]/.test(r[i] ?? '')));
    for (const row of t.rows) body.append(el('tr', {}, ...row.map((x, i) => el('td', { textContent: x, className: numeric[i] ? 'number' : '' }))));
    box.append(el('div', { className: t.rows.length > 40 ? 'scroll tall' : 'scroll', tabIndex: 0 }, el('table', {}, el('thead', {}, el('tr', {}, ...t.columns.map((x, i) => el('th', { textContent: x, className: numeric[i] ? 'number' : '' })))), body)));
  };

  report.panels.facts = (panel, box) => {
    const row = r => el('div', { className: r.usual ? 'usual' : '', title: r.text }, el('dt', {}, r.key || r.text, r.symbol ? el('i', { textContent: r.symbol }) : '', r.key && r.text ? el('small', { textContent: r.text }) : ''), el('dd', { textContent: r.value, className: r.value.length > 24 ? 'long' : '' }));
    box.append(el('div', { className: panel.things.length > 12 ? 'facts tall' : 'facts', tabIndex: panel.things.length > 12 ? 0 : -1 }, ...panel.things.map(t => el('div', {}, el('h3', {}, t.name, ' ', el('small', { textContent: t.kind })), el('dl', {}, ...t.rows.map(row))))));
  };
}
