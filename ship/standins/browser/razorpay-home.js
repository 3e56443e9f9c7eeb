// @ts-check
// The page that describes the Razorpay stand-in and changes its behaviour.

/** @param {string} id @returns {any} */
const element = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`There is no element ${id}.`);
  return found;
};

const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });

/** @param {string[]} cells */
function row(...cells) {
  const line = document.createElement('tr');
  for (const cell of cells) {
    const data = document.createElement('td');
    data.className = 'number';
    data.textContent = cell;
    line.append(data);
  }
  return line;
}

/** @param {string} id @param {HTMLElement[]} rows */
function fill(id, rows) {
  element(id).replaceChildren(...(rows.length > 0 ? rows : [row('None yet')]));
}

/** @param {Record<string, any>} behaviour */
function write(behaviour) {
  const { webhooks, lateAuthorisation: late } = behaviour;
  for (const name of ['ordersCreate', 'checkoutReturn', 'refunds']) element(name).value = behaviour[name];
  for (const name of ['enabled', 'shuffle']) element(name).checked = webhooks[name];
  for (const name of ['delayMs', 'duplicates', 'signWith']) element(name).value = webhooks[name];
  element('nextPayments').value = behaviour['nextPayments'].join(', ');
  element('captureWrongAmountPaise').value = behaviour['captureWrongAmountPaise'] ?? '';
  element('late').checked = late !== null;
  element('failAfterMs').value = late?.failAfterMs ?? 600_000;
  element('authorizeAfterMs').value = late?.authorizeAfterMs ?? 3_600_000;
}

function read() {
  const value = (/** @type {string} */ id) => element(id).value;
  const number = (/** @type {string} */ id) => Number(element(id).value);
  return {
    webhooks: {
      enabled: element('enabled').checked,
      shuffle: element('shuffle').checked,
      delayMs: number('delayMs'),
      duplicates: number('duplicates'),
      signWith: value('signWith'),
    },
    ordersCreate: value('ordersCreate'),
    checkoutReturn: value('checkoutReturn'),
    refunds: value('refunds'),
    nextPayments: value('nextPayments')
      .split(/[\s,]+/)
      .filter(Boolean),
    captureWrongAmountPaise: value('captureWrongAmountPaise') === '' ? null : number('captureWrongAmountPaise'),
    lateAuthorisation: element('late').checked
      ? { failAfterMs: number('failAfterMs'), authorizeAfterMs: number('authorizeAfterMs') }
      : null,
  };
}

/** @param {unknown} behaviour */
async function save(behaviour) {
  const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(behaviour) };
  const response = await fetch('/standin/behaviour', init);
  const answer = await response.json();
  if (response.ok) write(answer);
  element('status').textContent = response.ok ? 'Saved.' : answer.error.description;
}

element('behaviour').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  void save(read());
});
element('reset').addEventListener('click', () => save({}));

const about = await (await fetch('/standin/about')).json();
element('webhook-url').textContent = about.webhookUrl;
const say = (/** @type {string} */ outcome) => outcome.replaceAll('_', ' ');
fill(
  'cards',
  about.cards.map((/** @type {Record<string, any>} */ c) =>
    row(c['number'], c['international'] ? `${c['network']}, international` : c['network'], say(c['outcome'])),
  ),
);
fill(
  'vpas',
  about.vpas.map((/** @type {Record<string, string>} */ v) => row(v['vpa'] ?? '', say(v['outcome'] ?? ''))),
);
const payments = about.payments.toReversed();
fill(
  'payments',
  payments.map((/** @type {Record<string, any>} */ p) =>
    row(p['id'], p['order_id'], p['method'], rupees.format(p['amount'] / 100), p['status']),
  ),
);
write(await (await fetch('/standin/behaviour')).json());
