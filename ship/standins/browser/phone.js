// @ts-check
// Plays the payer's phone: it scans a QR code or is opened by a checkout, and approves, declines, or lets it lapse.
import { call } from './sheet-call.js';
import { formatAmount } from './sheet-fields.js';
import { element } from './sheet-screens.js';
import { clockText } from './sheet-upi.js';

/** @typedef {{ reference: string, by: string, link: string, status: string, closes_in_ms: number }} Request */

/** What the link of the request on the screen says. */
let open = { reference: '', amount: '', payee: '' };
/** The screen, or null before the first. @type {string | null} */
let screen = null;

/** @param {string} name */
function show(name) {
  screen = name;
  for (const id of ['scan', 'pay', 'done']) element(id).hidden = id !== name;
}

/** What the link says, as a UPI app reads it. @param {string} link */
function fieldsOf(link) {
  const { searchParams } = new URL(link);
  /** @param {string} name */
  const field = (name) => searchParams.get(name) ?? '';
  const amount = formatAmount(Math.round(Number(field('am')) * 100), field('cu') || 'INR');
  return { amount, payee: field('pn'), payeeId: field('pa'), note: field('tn'), reference: field('tr') };
}

/** @param {string} title @param {string} text */
function finish(title, text) {
  element('done-title').textContent = title;
  element('done-text').textContent = text;
  show('done');
  element('back').focus();
}

/** @param {string} link */
async function openLink(link) {
  const fields = fieldsOf(link);
  const { amount, payee, payeeId, note, reference } = fields;
  const request = await call(`/standin/upi/${reference}`);
  open = fields;
  element('pay-title').textContent = `Pay ${amount}`;
  for (const [id, text] of Object.entries({ payee, 'payee-id': payeeId, note, reference }))
    element(id).textContent = text;
  element('pin').value = '';
  element('pin-problem').textContent = '';
  show('pay');
  element('pin').focus();
  follow(request);
}

/** @param {Request} request */
function follow({ status, closes_in_ms: left }) {
  element('left').textContent = clockText(left);
  if (status === 'expired') finish('This request has expired', 'Start the payment again in the shop.');
  if (status === 'paid' || status === 'answered')
    finish('This request has been answered', 'There is nothing to approve.');
}

/** @param {Request} request */
function requestLine({ by, link }) {
  const { amount, payee } = fieldsOf(link);
  const item = document.createElement('li');
  const text = document.createElement('span');
  const sum = document.createElement('strong');
  sum.textContent = amount;
  const to = document.createElement('span');
  to.className = 'soft';
  to.textContent = payee;
  text.append(sum, to);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = by === 'code' ? 'Scan' : 'Open';
  button.setAttribute('aria-label', `${button.textContent}: ${amount} to ${payee}`);
  button.addEventListener('click', () => void openLink(link));
  item.append(text, button);
  return item;
}

let listed = '';
async function list() {
  const { requests } = await call('/standin/upi');
  const links = JSON.stringify(requests.map((/** @type {Request} */ { link }) => link));
  if (links === listed) return;
  listed = links;
  const none = document.createElement('li');
  none.className = 'soft';
  none.textContent = 'Nothing now. Choose UPI in a checkout.';
  element('requests').replaceChildren(...(requests.length > 0 ? requests.map(requestLine) : [none]));
}

/** @param {string} path @param {unknown} body */
async function answer(path, body) {
  const { reference, amount, payee } = open;
  const { status, error_description: problem } = await call(`/standin/upi/${reference}/${path}`, body);
  if (status === 'failed') return finish(path === 'decline' ? 'Declined' : 'Not paid', problem);
  if (status === 'created') return finish('Sent', 'Your bank has not answered yet.');
  return finish(`Paid ${amount}`, `To ${payee}.`);
}

/** @param {Promise<unknown>} work @param {string} place */
async function saying(work, place) {
  element(place).textContent = '';
  await work.catch((error) => {
    element(place).textContent = error instanceof Error ? error.message : String(error);
  });
}

element('link-form').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  const link = element('link').value.trim();
  if (URL.canParse(link)) void saying(openLink(link), 'link-problem');
  else element('link-problem').textContent = 'Enter a link that begins with upi://pay';
});
element('pin-form').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  void saying(answer('approve', { pin: element('pin').value }), 'pin-problem');
});
element('decline').addEventListener('click', () => void saying(answer('decline', {}), 'pin-problem'));
element('back').addEventListener('click', () => {
  // A window that the checkout opened goes back to it.
  window.close();
  history.replaceState(null, '', '/phone');
  show('scan');
  void list();
});

setInterval(() => {
  if (screen === 'scan') void list();
  if (screen === 'pay')
    void call(`/standin/upi/${open.reference}`).then((request) => screen === 'pay' && follow(request));
}, 1000);

const given = new URLSearchParams(location.search).get('link');
await list();
if (given === null) show('scan');
else await openLink(given).catch((/** @type {Error} */ error) => finish('This code can’t be paid', error.message));
