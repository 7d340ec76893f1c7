// SPDX-License-Identifier: MIT
// Pictures of the gallery that play: every images/scenes/NAME.png gets a button, which renders the scene in the page, and a link to the
// playground; so does the page about the playground.  A page that is opened from a folder has neither: browsers start no Worker there.
(() => {
  if (!/^https?:$/.test(location.protocol)) return;
  const here = new URL('.', document.currentScript.src), playground = new URL('../playground/', here);
  const say = (button, text) => { button.textContent = text; };
  let tools = null, context = null, sounding = null;
  const load = async () => {
    const { Opener } = await import(new URL('jawari/player.js', playground));
    const files = {};
    for (const name of ['tanpura.toml', 'prepared-keys.toml']) files[name] = await (await fetch(new URL(`scenes/all/${name}`, playground))).text();
    return new Opener({ files });
  };
  const stop = () => {
    if (!sounding) return;
    sounding.source.stop();
    say(sounding.button, 'Play');
    sounding = null;
  };
  async function play(name, button) {
    const again = sounding && sounding.button === button;
    stop();
    if (again) return;
    context = context || new AudioContext();
    button.disabled = true;
    try {
      tools = tools || load();
      const text = await (await fetch(new URL(`scenes/all/${name}.toml`, playground))).text();
      const made = await (await tools).render(text, {}, (share) => say(button, `${Math.round(100 * share)} %`));
      const most = made.channels.reduce((m, c) => c.reduce((n, x) => Math.max(n, Math.abs(x)), m), 1e-12);
      const buffer = context.createBuffer(made.channels.length, made.channels[0].length, made.rate);
      made.channels.forEach((c, i) => buffer.copyToChannel(Float32Array.from(c, (x) => 0.7 * x / most), i));
      const source = new AudioBufferSourceNode(context, { buffer });
      source.connect(context.destination);
      source.onended = () => { if (sounding && sounding.source === source) stop(); };
      await context.resume();
      source.start();
      sounding = { source, button };
      say(button, 'Stop');
    } catch (error) {
      say(button, error.message);
    }
    button.disabled = false;
  }
  const title = document.querySelector('h1#playground-and-npm-package');
  if (title) {
    const open = document.createElement('p'), link = document.createElement('a');
    link.className = 'md-button md-button--primary';
    link.href = new URL('index.html', playground);
    link.textContent = 'Open the playground';
    open.append(link);
    title.after(open);
  }
  for (const picture of document.querySelectorAll('img[src*="images/scenes/"]')) {
    const name = /scenes\/([a-z0-9-]+)\.png/.exec(picture.getAttribute('src'));
    if (!name) continue;
    const bar = document.createElement('p'), button = document.createElement('button'), link = document.createElement('a');
    bar.className = 'play-scene';
    bar.style.cssText = 'display: flex; gap: 1em; align-items: center; margin-top: 0';
    button.type = 'button';
    button.className = 'md-button md-button--primary';
    button.style.cssText = 'padding: .2em 1.2em; cursor: pointer';
    button.setAttribute('aria-label', `Play ${picture.alt}`);
    say(button, 'Play');
    button.addEventListener('click', () => play(name[1], button));
    link.href = new URL(`#scene=${name[1]}`, new URL('index.html', playground));
    link.textContent = 'Play with it';
    bar.append(button, link);
    picture.after(bar);
  }
})();
