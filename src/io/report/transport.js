// One transport for all films of the page: play, drag, speed, and which reel: a close-up or the whole run.
// A film joins with its reels { name, start, step, count } and show(reel, frame), which draws a frame.
{
  const { el, axisScale, time, charts } = report;
  const joined = [], reels = [];
  let bar = null, current = null, now = 0, playing = false, before = null, play, slide, clock, speed, pick;

  const last = () => Math.max(0, (current?.count ?? 1) - 1), seconds = i => current.start + i * current.step;
  const cutOf = film => film.reels.find(r => r.name === current.name) ?? film.reels[0];
  function draw() {
    const i = Math.min(last(), Math.floor(now)), unit = axisScale('s', Math.max(Math.abs(current.start), Math.abs(seconds(last()))) * 1.001);
    const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(current.step * unit.factor || 1)) + 1));
    for (const film of joined) {
      const reel = cutOf(film), k = reel.name === current.name ? i : Math.round((seconds(i) - reel.start) / (reel.step || 1));
      film.show(film.reels.indexOf(reel), Math.max(0, Math.min(reel.count - 1, k)));
    }
    slide.value = i, clock.textContent = `${(seconds(i) * unit.factor).toFixed(digits)} ${unit.unit}`, clock.dataset.frame = i;
  }
  const pointAt = () => { for (const { chart } of charts) chart?.setCursor({ left: chart.valToPos(seconds(Math.floor(now)) * time.factor, 'x'), top: -10 }, true, false); };
  const go = i => { now = Math.max(0, Math.min(last(), i)), draw(), pointAt(); };
  const tick = stamp => {
    if (!playing) return;
    if (before != null) now += (stamp - before) / 1000 / (+speed.value * (current.step || 1));
    if (now >= last() + 1) now %= last() + 1;
    before = stamp, draw(), pointAt(), requestAnimationFrame(tick);
  };
  const toggle = on => { playing = on && last() > 0, before = null, play.textContent = playing ? 'Pause' : 'Play', play.dataset.on = playing; if (playing) requestAnimationFrame(tick); };

  // Slowed down so that some 30 frames pass in a second, a round number; slow motions keep their speed.
  function speeds() {
    const natural = 1 / (30 * (current.step || 1)), power = 10 ** Math.floor(Math.log10(natural)), round = current.count * current.step > .4 ? 1 : [1, 2, 5, 10].map(m => m * power).find(v => v >= natural * .999);
    const name = slow => slow > 1.001 ? `${+slow.toPrecision(3)} × slower` : slow > .999 ? 'real time' : `${+(1 / slow).toPrecision(3)} × faster`;
    speed.replaceChildren(...[10, 4, 2, 1, .5, .2, .1].map(f => el('option', { value: round * f, textContent: name(round * f), selected: f === 1 })));
  }
  function choose(reel) {
    const at = current ? seconds(Math.floor(now)) : 0;
    current = reel, now = Math.max(0, Math.min(last(), Math.round((at - reel.start) / (reel.step || 1))));
    slide.max = last(), pick.value = reel.name, speeds();
  }
  function build(box) {
    play = el('button', { type: 'button', className: 'play' }), slide = el('input', { type: 'range', min: 0, max: 0, value: 0 }), clock = el('output'), speed = el('select'), pick = el('select', { className: 'reel' });
    slide.setAttribute('aria-label', 'time'), speed.setAttribute('aria-label', 'speed'), pick.setAttribute('aria-label', 'reel');
    bar = el('div', { className: 'controls' }, play, slide, clock, pick, speed), box.prepend(bar);
    play.addEventListener('click', () => toggle(!playing));
    slide.addEventListener('input', () => { toggle(false), go(+slide.value); });
    pick.addEventListener('change', () => { choose(reels.find(r => r.name === pick.value)), draw(), pointAt(); });
    box.addEventListener('keydown', e => {
      if (e.target === slide || e.target.tagName === 'SELECT' || e.ctrlKey || e.metaKey || e.altKey) return;  // these know the arrows themselves
      const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10 }[e.key], i = Math.floor(now);
      if (step) toggle(false), go(i + step);
      else if (e.key === 'Home' || e.key === 'End') toggle(false), go(e.key === 'Home' ? 0 : last());
      else if (e.key === ' ' && e.target !== play) toggle(!playing);
      else return;
      e.preventDefault();
    });
    toggle(false);
  }

  report.transport = {
    join(film, box) {
      if (!bar) build(box);
      joined.push(film);
      for (const reel of film.reels) {
        const known = reels.find(r => r.name === reel.name);
        if (known) { if (reel.count > known.count) Object.assign(known, reel); } else reels.push({ ...reel }), pick.append(el('option', { value: reel.name, textContent: reel.name }));
      }
      pick.hidden = reels.length < 2;
      choose(current ?? reels[0]), draw();
    },
    redraw() { if (current) draw(); },
    // A moment of the run: in this reel if it is there, else in another one.
    seek(t) {
      const holds = r => t >= r.start - r.step / 2 && t <= r.start + (r.count - .5) * r.step;
      const reel = current && [current, ...reels].find(holds);
      if (!reel) return;
      if (reel !== current) choose(reel);
      toggle(false), go(Math.round((t - reel.start) / (reel.step || 1)));
    },
    // While the sound plays: the whole run moves along.
    follow(t) {
      const reel = reels.find(r => r.count > 1 && r.start <= r.step && t <= r.start + r.count * r.step && r.count * r.step > .4);
      if (!reel || playing) return;
      if (reel !== current) choose(reel);
      now = Math.max(0, Math.min(last(), (t - reel.start) / reel.step)), draw();
    },
  };
}
