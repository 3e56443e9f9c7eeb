// @ts-check
import { element } from './play-clock.js';
import { keepList, line, rupees } from './play-payments.js';

const times = new Intl.DateTimeFormat('en-IN', { timeZone: 'Asia/Kolkata', dateStyle: 'medium', timeStyle: 'short' });
/** The lists show no more of each. */
const many = 10;

/** @param {string} path */
async function read(path) {
  return (await fetch(`/standin${path}`)).json();
}

/** What the payer's app and bank can do with a mandate in each state. @type {Record<string, [string, string][]>} */
const moves = {
  initiated: [
    ['Confirm', 'confirm'],
    ['Reject', 'reject'],
  ],
  confirmed: [
    ['Pause', 'pause'],
    ['Cancel', 'cancel'],
  ],
  paused: [
    ['Resume', 'resume'],
    ['Cancel', 'cancel'],
  ],
  cancellation_initiated: [['Cancel', 'cancel']],
};

/** @param {Record<string, any>} token */
function tokenLine({ id, recurring_details: { status }, max_amount: most, frequency, expired_at: until }) {
  const below = `At most ${rupees.format(most / 100)}, ${frequency.replaceAll('_', ' ')}, until ${times.format(until * 1000)}`;
  /** @type {[string, string][]} */
  const actions = (moves[status] ?? []).map(([label, move]) => [label, `/standin/tokens/${id}/${move}`]);
  return line(id, below, status, actions);
}

/** @param {Record<string, any>} debit */
function debitLine({ payment: { id, amount, status }, is_notified: isNotified, awaits_pin: awaitsPin, next_at: next }) {
  const path = `/standin/payments/${id}`;
  /** @type {[string, string][]} */
  const payer = awaitsPin
    ? [
        ['Enter PIN', `${path}/pin`],
        ['Decline', `${path}/decline`],
      ]
    : isNotified
      ? [['Skip', `${path}/skip`]]
      : [];
  const when =
    next === null ? 'no word from the bank' : `${awaitsPin ? 'PIN until' : 'bank asked'} ${times.format(next)}`;
  return line(id, `${rupees.format(amount / 100)}, ${when}`, awaitsPin ? 'pending' : status, [
    ...payer,
    ['Authorise', `${path}/authorize`],
    ['Fail', `${path}/fail`],
  ]);
}

/** @param {Record<string, any>[]} accounts */
function showAccounts(accounts) {
  const chosen = element('account').value;
  const options = accounts.map(({ id, description, receivers }) => {
    const option = document.createElement('option');
    option.value = id;
    option.textContent = `${receivers[0].account_number} ${description ?? ''}`;
    return option;
  });
  if (options.length === element('account').length) return;
  element('account').replaceChildren(...options);
  if (accounts.some(({ id }) => id === chosen)) element('account').value = chosen;
}

async function transfer() {
  const way = element('way').value;
  const body = {
    amount: Math.round(Number(element('transfer-amount').value) * 100),
    mode: way === 'NRE' ? 'NEFT' : way.split('-')[0],
    nre: way === 'NRE',
    ...(way === 'IMPS-unknown' && { payer: null }),
  };
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`/standin/virtual_accounts/${element('account').value}/credit`, init);
  return answer.ok ? 'Transferred.' : (await answer.json()).error.description;
}

/** @param {string} text */
const say = (text) => (element('mandates-status').textContent = text);

/** Mandates with their debits, and virtual accounts. */
export async function startMandates() {
  element('transfer-form').addEventListener('submit', async (/** @type {Event} */ event) => {
    event.preventDefault();
    say(await transfer());
  });
  const lists = [
    keepList('tokens', say, async () => {
      const accounts = (await read('/virtual_accounts')).filter((/** @type {any} */ each) => each.status === 'active');
      element('transfer-form').hidden = accounts.length === 0;
      showAccounts(accounts);
      return (await read('/tokens')).slice(0, many).map(tokenLine);
    }),
    keepList('debits', say, async () => (await read('/debits')).slice(0, many).map(debitLine)),
  ];
  for (const look of lists) await look();
}
