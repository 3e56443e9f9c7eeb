// @ts-check
import { element, nothing } from './play-clock.js';

export const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });
/** The most that the stand-in accepts at once: enough for a day of testing. */
const many = 100;

/** @type {Record<string, object>} */
const webhookWays = {
  on: {},
  off: { enabled: false },
  doubled: { duplicates: 2 },
  disordered: { shuffle: true, duplicates: 1 },
  delayed: { delayMs: 30_000 },
  forged: { signWith: 'wrong' },
};

/**
 * The behaviour that the form describes.
 * @param {FormData} form
 */
function behaviourOf(form) {
  /** @param {string} name */
  const chosen = (name) => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  const outcome = chosen('outcome');
  const isListed = !['as-chosen', 'captureTwice', 'wrongAmount'].includes(outcome);
  return {
    nextPayments: isListed ? Array.from({ length: many }, () => outcome) : [],
    mandates: {
      nextDebits: chosen('debits') === 'success' ? [] : Array.from({ length: many }, () => chosen('debits')),
      registration: chosen('registration'),
      cancellation: chosen('cancellation'),
    },
    captureTwice: outcome === 'captureTwice',
    captureWrongAmountPaise: outcome === 'wrongAmount' ? 100 : null,
    webhooks: webhookWays[chosen('webhooks')] ?? {},
    checkoutReturn: chosen('checkoutReturn'),
    refunds: chosen('refunds'),
  };
}

/**
 * The form choices for a behaviour.
 * @param {Record<string, any>} behaviour
 */
function choicesOf(behaviour) {
  const { nextPayments, captureTwice, captureWrongAmountPaise, webhooks, checkoutReturn, refunds } = behaviour;
  const { nextDebits, registration, cancellation } = behaviour['mandates'];
  const listed = nextPayments[0] ?? 'as-chosen';
  const outcome = captureTwice ? 'captureTwice' : captureWrongAmountPaise === null ? listed : 'wrongAmount';
  const way = !webhooks.enabled
    ? 'off'
    : webhooks.signWith === 'wrong'
      ? 'forged'
      : webhooks.delayMs > 0
        ? 'delayed'
        : webhooks.shuffle
          ? 'disordered'
          : webhooks.duplicates > 0
            ? 'doubled'
            : 'on';
  const debits = nextDebits[0] ?? 'success';
  return { outcome, webhooks: way, checkoutReturn, refunds, debits, registration, cancellation };
}

/** @type {Record<string, string>} */
const tones = {
  captured: 'good',
  processed: 'good',
  won: 'good',
  lost: 'bad',
  failed: 'bad',
  created: 'away',
  authorized: 'away',
  pending: 'away',
  initiated: 'away',
  confirmed: 'good',
  active: 'good',
  paused: 'away',
  cancellation_initiated: 'away',
  rejected: 'bad',
  cancelled: 'bad',
};

/** @param {string} id @param {string} below @param {string} status @param {[string, string][]} actions */
export function line(id, below, status, actions) {
  const item = document.createElement('li');
  const texts = document.createElement('span');
  const code = document.createElement('code');
  code.textContent = id;
  const second = document.createElement('span');
  second.className = 'soft';
  second.textContent = below;
  texts.append(code, second);
  const pill = document.createElement('span');
  pill.className = `pill ${tones[status] ?? ''}`;
  pill.textContent = status;
  const buttons = document.createElement('span');
  buttons.className = 'buttons';
  for (const [label, path] of actions) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.dataset['path'] = path;
    button.setAttribute('aria-label', `${label} ${id}`);
    buttons.append(button);
  }
  item.append(texts, buttons, pill);
  return item;
}

/** @param {Record<string, any>} payment */
function paymentLine({ id, amount, amount_refunded: refunded, method, status }) {
  const path = `/standin/payments/${id}`;
  /** @type {[string, string][]} */
  const yes = [['Authorise', `${path}/authorize`]];
  /** @type {[string, string][]} */
  const no = [['Fail', `${path}/fail`]];
  const half = Math.floor((amount - refunded) / 2);
  /** As on the provider's dashboard, unknown to the product. @type {[string, string][]} */
  const back = [
    ['Refund', `${path}/refund`],
    ['Refund half', `${path}/refund?amount=${half}`],
    ['Dispute', `${path}/dispute`],
  ];
  const actions =
    status === 'created' ? [...yes, ...no] : status === 'failed' ? yes : status === 'captured' ? back : [];
  return line(id, `${rupees.format(amount / 100)} by ${method}`, status, actions);
}

/** @param {Record<string, any>} refund */
function refundLine({ id, amount, payment_id: paymentId, status }) {
  const path = `/standin/refunds/${id}`;
  /** @type {[string, string][]} */
  const actions = [
    ['Process', `${path}/process`],
    ['Fail', `${path}/fail`],
  ];
  return line(id, `${rupees.format(amount / 100)} back, of ${paymentId}`, status, status === 'pending' ? actions : []);
}

/** @param {Record<string, any>} dispute */
function disputeLine({ id, amount, payment_id: paymentId, status }) {
  const path = `/standin/disputes/${id}`;
  /** @type {[string, string][]} */
  const actions = [
    ['Review', `${path}/under_review`],
    ['Win', `${path}/won`],
    ['Lose', `${path}/lost`],
    ['Close', `${path}/closed`],
  ];
  const isOver = ['won', 'lost', 'closed'].includes(status);
  return line(id, `${rupees.format(amount / 100)} disputed, of ${paymentId}`, status, isOver ? [] : actions);
}

/**
 * Keeps a list as `read` has it, and does what its buttons say. Returns a function that looks at once.
 * @param {string} id
 * @param {(text: string) => void} say
 * @param {() => Promise<HTMLElement[]>} read
 */
export function keepList(id, say, read) {
  const list = element(id);
  const none = nothing('None yet.');

  async function look() {
    if (document.hidden) return;
    const lines = await read();
    // A list that stays the same keeps its focus.
    const isSame = lines.map((line) => line.outerHTML).join('') === list.innerHTML;
    if (lines.length === 0) list.replaceChildren(none);
    else if (!isSame) list.replaceChildren(...lines);
  }
  list.addEventListener('click', async (/** @type {Event} */ event) => {
    const path = event.target instanceof HTMLElement ? event.target.dataset['path'] : undefined;
    if (path === undefined) return;
    const answer = await fetch(path, { method: 'POST' });
    say(answer.ok ? 'Done.' : (await answer.json()).error.description);
    await look();
  });
  setInterval(look, 1500);
  return look;
}

/** @param {string} text */
const say = (text) => (element('payments-status').textContent = text);

/** Payment behaviour, and the latest payments. */
export async function startPayments() {
  const form = element('payments-form');
  const look = keepList('latest', say, async () => {
    const about = await (await fetch('/standin/about')).json();
    return [
      ...about.refunds.map((/** @type {any} */ each) => ({ at: each.created_at, item: refundLine(each) })),
      ...about.disputes.map((/** @type {any} */ each) => ({ at: each.created_at, item: disputeLine(each) })),
      ...about.payments.map((/** @type {any} */ each) => ({ at: each.created_at, item: paymentLine(each) })),
    ]
      .toSorted((a, b) => b.at - a.at)
      .map(({ item }) => item);
  });

  form.addEventListener('change', async () => {
    const body = JSON.stringify(behaviourOf(new FormData(form)));
    const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body };
    const answer = await fetch('/standin/behaviour', init);
    say(answer.ok ? 'Saved.' : (await answer.json()).error.description);
  });
  form.addEventListener('submit', (/** @type {Event} */ event) => event.preventDefault());

  const choices = choicesOf(await (await fetch('/standin/behaviour')).json());
  for (const [name, value] of Object.entries(choices)) {
    const radio = form.querySelector(`[name="${name}"][value="${value}"]`);
    if (radio) radio.checked = true;
  }
  await look();
}
