// @ts-check

/** @param {string} id @returns {any} */
export const element = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`There is no element ${id}.`);
  return found;
};

const zone = 'Asia/Kolkata';
/** @param {Intl.DateTimeFormatOptions} options */
const format = (options) => new Intl.DateTimeFormat('en-IN', { timeZone: zone, ...options });
const weekdays = format({ weekday: 'long' });
const days = format({ day: 'numeric', month: 'long', year: 'numeric' });
const shortDays = format({ day: 'numeric', month: 'short', year: 'numeric' });
const times = format({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const dayMs = 86_400_000;

/**
 * The difference between the clock and real time, in words.
 * @param {number} offsetMs
 */
function distance(offsetMs) {
  if (offsetMs === 0) return 'Real time';
  const hours = Math.round(Math.abs(offsetMs) / 3_600_000);
  const whole = Math.round(hours / 24);
  const words = hours < 24 ? `${hours} h` : `${whole} ${whole === 1 ? 'day' : 'days'}`;
  return offsetMs > 0 ? `${words} ahead` : `${words} behind`;
}

/** @param {string} main @param {string} below @param {string} state @param {string} tone */
function line(main, below, state, tone) {
  const item = document.createElement('li');
  const texts = document.createElement('span');
  const second = document.createElement('span');
  second.className = 'soft';
  second.textContent = below;
  texts.append(main, second);
  const pill = document.createElement('span');
  pill.className = `pill ${tone}`;
  pill.textContent = state;
  item.append(texts, pill);
  return item;
}

/** The line of an empty list. @param {string} text */
export function nothing(text) {
  const item = document.createElement('li');
  item.className = 'soft';
  item.textContent = text;
  return item;
}

/** @type {Record<string, string>} */
const statuses = {
  PAYMENT_PENDING: 'Unpaid',
  DEACTIVATED: 'Deactivated',
  REMOVED: 'Removed',
  REFUNDED: 'Refunded',
};
/** @type {Record<string, [string, string]>} */
const phases = { upcoming: ['Upcoming', 'away'], running: ['Running', 'good'], over: ['Over', ''] };

/** @param {string} day yyyy-mm-dd */
const shownDay = (day) => shortDays.format(new Date(`${day}T00:00:00+05:30`));

/** @param {Record<string, any>} cycle */
function cycleLine(cycle) {
  const [state, tone] = phases[cycle['phase']] ?? [statuses[cycle['status']] ?? cycle['status'], 'bad'];
  const from = `${cycle['customer']} · ${shownDay(cycle['fromDate'])} to ${shownDay(cycle['toDate'])}`;
  return line(`${cycle['product']}, ${cycle['plan']}`, from, state, tone);
}

/** @param {Record<string, any>} mail */
function mailLine(mail) {
  const below = `${mail['to']} · ${shortDays.format(mail['atMs'])}, ${times.format(mail['atMs'])}`;
  const found = line(mail['subject'], below, mail['document'] ?? '', '');
  if (!mail['document']) found.lastElementChild?.remove();
  return found;
}

/** The clock and its effects. */
export async function startClock() {
  /** The portal's latest state, and when it was read. @type {{ state: any, at: number } | undefined} */
  let known;
  let playing = false;
  const stopping = { asked: false };

  function tick() {
    if (!known) return;
    const now = known.state.nowMs + (performance.now() - known.at);
    element('weekday').textContent = weekdays.format(now);
    element('day').textContent = days.format(now);
    element('time').textContent = times.format(now);
  }

  /** @param {any} state */
  function show(state) {
    known = { state, at: performance.now() };
    tick();
    const { turns, offsetMs } = state;
    element('moved').textContent = distance(offsetMs);
    element('moved').classList.toggle('away', offsetMs !== 0);
    element('midnight').textContent = shortDays.format(turns.midnight);
    for (const [button, place, turn, none] of [
      ['start', 'next-start', turns.nextStart, 'nothing paid ahead'],
      ['end', 'next-end', turns.nextEnd, 'no plan runs'],
    ]) {
      element(place).textContent = turn === null ? none : shortDays.format(turn);
      element(button).disabled = playing || turn === null;
    }
    const cycles = state.cycles.map(cycleLine);
    element('cycles').replaceChildren(...(cycles.length > 0 ? cycles : [nothing('No activations yet.')]));
    const mails = state.mails.map(mailLine);
    element('mails').replaceChildren(...(mails.length > 0 ? mails : [nothing('Nothing yet.')]));
  }

  /** @param {object | undefined} move */
  async function ask(move) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(move) };
    const answer = await fetch('/standin/product-clock', move === undefined ? {} : init);
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.message ?? body.error.description);
    show(body);
  }

  /** @param {string} text */
  const say = (text) => (element('clock-status').textContent = text);

  /** @param {() => Promise<void>} work */
  async function doing(work) {
    const buttons = [...document.querySelectorAll('.panel button')].filter((each) => each instanceof HTMLButtonElement);
    const focused = document.activeElement;
    playing = true;
    for (const button of buttons) button.disabled = button.id !== 'stop';
    try {
      await work();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    } finally {
      playing = false;
      for (const button of buttons) button.disabled = false;
      if (known) show(known.state);
      if (focused instanceof HTMLElement && document.activeElement === document.body) focused.focus();
    }
  }

  /**
   * Moves forward in steps of whole days, large enough to finish in `forMs`.
   * @param {number} count
   * @param {number} forMs
   */
  async function play(count, forMs) {
    const began = performance.now();
    const progress = element('progress');
    stopping.asked = false;
    progress.hidden = element('stop').hidden = false;
    element('stop').focus();
    let played = 0;
    while (played < count && !stopping.asked) {
      const due = Math.min(count, Math.ceil(((performance.now() - began) / forMs) * count) || 1);
      if (due <= played) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        continue;
      }
      await ask({ advanceMs: (due - played) * dayMs });
      played = due;
      progress.value = played / count;
    }
    progress.hidden = element('stop').hidden = true;
    progress.value = 0;
    say(`${played} days played in ${Math.round((performance.now() - began) / 1000)} seconds.`);
  }

  for (const button of document.querySelectorAll('[data-move]')) {
    const move = JSON.parse(button.getAttribute('data-move') ?? '{}');
    button.addEventListener('click', () => {
      void doing(async () => {
        await ask(move);
        say(`It is ${days.format(known?.state.nowMs)} now.`);
      });
    });
  }
  element('play-month').addEventListener('click', () => doing(() => play(30, 10_000)));
  element('play-year').addEventListener('click', () => doing(() => play(365, 60_000)));
  element('stop').addEventListener('click', () => (stopping.asked = true));
  element('reset').addEventListener('click', () =>
    doing(async () => {
      await ask({ reset: true });
      say('The clock shows real time again. What happened in the meantime stays.');
    }),
  );

  setInterval(tick, 200);
  const look = () => (playing || document.hidden ? undefined : ask(undefined).catch((error) => say(error.message)));
  setInterval(look, 2000);
  await look();
}
