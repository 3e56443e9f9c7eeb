// @ts-check
// The checkout sheet inside its frame. It trusts only messages of the page that opened it, and the server's responses.
import { call } from './sheet-call.js';
import {
  cardProblem,
  cvvProblem,
  expiryProblem,
  formatAmount,
  formatCardNumber,
  formatExpiry,
  readableOn,
  vpaProblem,
} from './sheet-fields.js';
import { all, element, keepFocus, mark, screenName, show, showFailure, showWait } from './sheet-screens.js';
import { offers, phoneOf, showFlows, watchCode } from './sheet-upi.js';

/** @typedef {import('./sheet-call.js').Failure} Failure */
/** @typedef {{ payment_id: string, status: string, awaiting: string | null, link: string | null, response: Record<string, string> | null, error: Failure | null }} State */

const query = new URLSearchParams(location.search);
const origin = query.get('origin') ?? '';
const channel = query.get('channel') ?? '';

/** @type {Record<string, any>} */
let options = {};
let method = 'card';
/** The current attempt. @type {string | null} */
let paymentId = null;

/** @param {string} type @param {unknown} [value] */
const tell = (type, value) => window.parent.postMessage({ type, channel, value }, origin);

/** @param {string} chosen */
function chooseMethod(chosen) {
  method = chosen;
  for (const tab of all('[role=tab]')) {
    const isChosen = tab.dataset['method'] === chosen;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    element(`panel-${tab.dataset['method']}`).hidden = !isChosen;
  }
  element('form-problem').textContent = '';
  const isUpi = chosen === 'upi';
  element('pay').hidden = isUpi && !offers('qr') && !offers('collect');
  element('pay').textContent = isUpi && offers('qr') ? 'Show QR code' : `Pay ${element('amount').textContent}`;
}

/** The fields of the chosen method; null when something is missing. */
function readMethod() {
  if (method === 'upi')
    return mark('vpa', vpaProblem(element('vpa').value)) ? { vpa: element('vpa').value.trim() } : null;
  if (method === 'netbanking') return { bank: new FormData(element('form')).get('bank') };
  const checks = [
    mark('number', cardProblem(element('number').value)),
    mark('expiry', expiryProblem(element('expiry').value, new Date())),
    mark('cvv', cvvProblem(element('cvv').value)),
  ];
  return checks.every(Boolean) ? { card: { number: element('number').value } } : null;
}

/**
 * Shows the screen for the payment's state.
 * @param {State} state
 */
async function follow(state) {
  paymentId = state.payment_id;
  if (state.error) {
    paymentId = null;
    tell('failed', state.error);
    return showFailure('Payment failed', state.error.description, options['canRetry']);
  }
  if (state.response) {
    element('success-id').textContent = state.payment_id;
    show('success');
    setTimeout(() => tell('success', state.response), 900);
    return undefined;
  }
  if (state.awaiting === 'otp') {
    element('otp').value = '';
    return show('otp');
  }
  if (state.awaiting === 'bank-page') return show('bank');
  if (state.awaiting === 'app') {
    element('app-link').href = phoneOf(state.link ?? '');
    if (!['app', 'confirm'].includes(screenName())) show('app');
  } else if (screenName() !== 'wait') showWait('Confirming your payment', 'This page updates automatically.');
  await new Promise((resolve) => setTimeout(resolve, 500));
  if (paymentId === state.payment_id) await follow(await call(`/checkout/payments/${state.payment_id}`));
  return undefined;
}

/** @param {string} path @param {unknown} body @param {(answer: any) => Promise<void> | void} then */
async function step(path, body, then = follow) {
  const buttons = all('[data-screen] button');
  for (const button of buttons) button.toggleAttribute('disabled', true);
  try {
    const state = await call(path, body);
    for (const button of buttons) button.toggleAttribute('disabled', false);
    await then(state);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (screenName() === 'methods') element('form-problem').textContent = message;
    else showFailure('Payment failed', message, options['canRetry']);
  } finally {
    for (const button of buttons) button.toggleAttribute('disabled', false);
  }
}

/** @param {string} [reason] */
async function leave(reason) {
  const open = paymentId;
  paymentId = null;
  if (open && ['otp', 'bank', 'app'].includes(screenName()))
    await call(`/checkout/payments/${open}/cancel`, {}).catch(() => undefined);
  tell('dismissed', reason);
}

/** What each attempt says of the order and its payer. */
function session() {
  const { key, order_id, amount, currency, prefill, description, name, recurring, customer_id } = options;
  const { email, contact } = prefill;
  return { key_id: key, order_id, amount, currency, description, email, contact, name, recurring, customer_id };
}

async function showCode() {
  show('methods');
  await step('/checkout/qr-codes', session(), async (code) => {
    const payment = await watchCode(code);
    if (payment) await follow(payment);
  });
}

/** The app's window opens with the press, as browsers block later ones. @param {string} name */
function openApp(name) {
  element('app-name').textContent = name;
  element('app-link').textContent = `Open ${name} again`;
  const app = window.open('', '_blank');
  void step('/checkout/payments', { ...session(), method: 'upi' }, (state) => {
    if (app) app.location.href = phoneOf(state.link);
    return follow(state);
  });
}

function askToLeave() {
  const isOver = screenName() === 'success' || screenName() === 'failed';
  if (screenName() === 'success') return;
  if (options['confirmClose'] && !isOver && screenName() !== 'confirm') {
    element('stay').dataset['back'] = screenName();
    return show('confirm');
  }
  void leave();
}

function addListeners() {
  const tabs = all('[role=tab]');
  for (const tab of tabs) {
    tab.addEventListener('click', () => chooseMethod(tab.dataset['method'] ?? 'card'));
    tab.addEventListener('keydown', (event) => {
      const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!move) return;
      const shown = tabs.filter((other) => !other.hidden);
      const next = shown[(shown.indexOf(tab) + move + shown.length) % shown.length];
      chooseMethod(next?.dataset['method'] ?? 'card');
      next?.focus();
    });
  }
  element('number').addEventListener('input', (/** @type {any} */ event) => {
    event.target.value = formatCardNumber(event.target.value);
  });
  element('expiry').addEventListener('input', (/** @type {any} */ event) => {
    event.target.value = formatExpiry(event.target.value, event.inputType === 'deleteContentBackward');
  });
  element('fill-card').addEventListener('click', () => {
    element('number').value = '4100 2800 0000 1007';
    element('expiry').value = `12 / ${String((new Date().getFullYear() + 4) % 100)}`;
    element('cvv').value = '123';
    for (const id of ['number', 'expiry', 'cvv']) mark(id, '');
    element('pay').focus();
  });
  for (const app of all('[data-app]')) app.addEventListener('click', () => openApp(app.dataset['app'] ?? ''));
  for (const back of all('[data-back]')) back.addEventListener('click', () => show('methods'));
  element('new-code').addEventListener('click', showCode);
  element('form').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    element('form-problem').textContent = '';
    if (method === 'upi' && offers('qr')) return showCode();
    const fields = readMethod();
    if (!fields)
      return all('[aria-invalid=true]')
        .find((input) => input.offsetParent)
        ?.focus();
    return void step('/checkout/payments', { ...session(), method, ...fields });
  });
  element('otp-form').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    void step(`/checkout/payments/${paymentId}/otp`, { otp: element('otp').value });
  });
  for (const answer of all('[data-bank]')) {
    answer.addEventListener(
      'click',
      () => void step(`/checkout/payments/${paymentId}/bank`, { success: answer.dataset['bank'] === 'success' }),
    );
  }
  for (const cancel of all('[data-cancel]'))
    cancel.addEventListener('click', () => void step(`/checkout/payments/${paymentId}/cancel`, {}));
  element('retry').addEventListener('click', () => show('methods'));
  element('leave').addEventListener('click', () => leave());
  element('close').addEventListener('click', askToLeave);
  element('stay').addEventListener('click', () => show(element('stay').dataset['back']));
  element('confirm-leave').addEventListener('click', () => leave());
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && options['escape']) askToLeave();
    if (event.key === 'Tab') keepFocus(event);
  });
}

/** @param {Array<{ code: string, name: string }>} banks */
function addBanks(banks) {
  for (const [index, bank] of banks.entries()) {
    const label = document.createElement('label');
    const radio = document.createElement('input');
    radio.type = 'radio';
    radio.name = 'bank';
    radio.value = bank.code;
    radio.checked = index === 0;
    label.append(radio, bank.name);
    element('banks').append(label);
  }
  element('form').addEventListener('submit', () => {
    const code = new FormData(element('form')).get('bank');
    element('bank-name').textContent = banks.find((bank) => bank.code === code)?.name;
  });
}

/** @param {Record<string, any>} given */
async function open(given) {
  options = given;
  const root = document.documentElement;
  if (/^#[0-9a-f]{6}$/i.test(options['color'] ?? '')) {
    root.style.setProperty('--fill', options['color']);
    root.style.setProperty('--on-fill', readableOn(options['color']));
  }
  element('business').textContent = options['name'];
  element('description').textContent = options['description'] ?? '';
  const { name, email, contact } = options['prefill'];
  element('payer').textContent = [name, email, contact].filter(Boolean).join(', ');
  element('payer').hidden = element('payer').textContent === '';
  for (const place of all('[data-contact]')) if (contact) place.textContent = contact;
  const { key, order_id, amount, currency, hidden } = options;
  const asked = new URLSearchParams({ key_id: key, order_id: order_id ?? '', currency });
  if (amount !== undefined) asked.set('amount', amount);
  try {
    const { order, banks, flows } = await call(`/checkout/session?${asked}`);
    element('amount').textContent = formatAmount(order.amount, order.currency);
    addBanks(banks);
    // A mandate of a bank account is agreed to at the bank.
    const only = order.method === 'emandate' ? 'netbanking' : order.method;
    for (const tab of all('[role=tab]'))
      tab.hidden =
        ![null, tab.dataset['method']].includes(only) ||
        hidden.some((/** @type {any} */ each) => each.method === tab.dataset['method'] && !each.flows);
    if (!showFlows(flows, hidden)) element('tab-upi').hidden = true;
    document.body.hidden = false;
    const shown = all('[role=tab]')
      .filter((tab) => !tab.hidden)
      .map((tab) => tab.dataset['method'] ?? '');
    const wanted = options['prefill'].method;
    chooseMethod(shown.includes(wanted) ? wanted : (shown[0] ?? 'card'));
    show('methods');
  } catch (error) {
    document.body.hidden = false;
    element('amount').textContent = formatAmount(Number(amount ?? 0), 'INR');
    if (error instanceof Error && 'failure' in error) tell('failed', error.failure);
    showFailure('This payment cannot be made', error instanceof Error ? error.message : String(error), false);
  }
  if (options['timeout'] > 0)
    setTimeout(() => screenName() !== 'success' && leave('timeout'), options['timeout'] * 1000);
}

addListeners();
window.addEventListener('message', (event) => {
  if (event.source !== window.parent || event.origin !== origin) return;
  if (event.data?.type === 'open' && event.data.channel === channel) void open(event.data.value);
});
tell('ready');
