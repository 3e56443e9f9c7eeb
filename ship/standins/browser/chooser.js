// @ts-check
// The account chooser: in a popup, in One Tap's frame, or as a page of its own (redirect mode).

/** @typedef {{ id: string, name: string, email: string, picture: string }} Account */

const query = new URLSearchParams(location.search);
const origin = query.get('origin') ?? '';
const mode = query.get('mode') ?? 'popup';

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`There is no element ${id}.`);
  return found;
}

/** @param {'choose' | 'other' | 'refused'} name */
function show(name) {
  for (const section of ['choose', 'other', 'refused']) element(section).hidden = section !== name;
  element('chooser').setAttribute('aria-busy', 'false');
}

/** @param {string} message */
function refuse(message) {
  element('refused-reason').textContent = message;
  show('refused');
}

/**
 * @param {string} path
 * @param {unknown} [body]
 */
async function call(path, body) {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, init);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message ?? 'Something went wrong.');
  return answer;
}

/** @param {Record<string, unknown>} answer */
function tellPage(answer) {
  const page = mode === 'onetap' ? window.parent : window.opener;
  page?.postMessage({ type: 'gsi-answer', channel: query.get('channel'), ...answer }, origin);
}

/** @param {string} credential */
function submitToLoginUri(credential) {
  const target = new URL(query.get('login_uri') ?? origin);
  if (target.origin !== origin) return refuse('Error 400: redirect_uri_mismatch');
  const form = document.createElement('form');
  form.method = 'post';
  form.action = target.href;
  const fields = { credential, g_csrf_token: query.get('g_csrf_token') ?? '', select_by: 'btn' };
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}

/** @param {string} account */
async function choose(account) {
  for (const button of document.querySelectorAll('button')) button.disabled = true;
  try {
    const request = { client_id: query.get('client_id'), origin, account, nonce: query.get('nonce') ?? undefined };
    const { credential } = await call('/gsi/credential', request);
    if (mode === 'redirect') return submitToLoginUri(credential);
    tellPage({ credential });
    if (mode === 'popup') window.close();
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {string} title
 * @param {string} subtitle
 * @param {() => void} press
 * @param {string} [picture]
 */
function addRow(title, subtitle, press, picture) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'account';
  if (picture !== undefined) {
    const image = document.createElement('img');
    image.src = picture;
    image.alt = '';
    button.append(image);
  }
  const texts = document.createElement('span');
  const second = document.createElement('span');
  second.className = 'soft';
  second.textContent = subtitle;
  texts.append(title, ' ', second);
  button.append(texts);
  button.addEventListener('click', press);
  element('accounts').append(button);
}

async function start() {
  const session = await call(
    `/gsi/session?${new URLSearchParams({ client_id: query.get('client_id') ?? '', origin })}`,
  );
  for (const target of document.querySelectorAll('[data-target]')) target.textContent = new URL(origin).host;
  /** @type {Account[]} */
  const accounts = session.accounts;
  for (const account of accounts) {
    addRow(account.name, account.email, () => void choose(account.id), new URL(account.picture).pathname);
  }
  addRow('Use another account', '', () => {
    show('other');
    element('name').focus();
  });
  show('choose');
}

const close = element('close');
close.hidden = mode !== 'onetap';
close.addEventListener('click', () => tellPage({ closed: true }));
element('back').addEventListener('click', () => show('choose'));

/** @param {FormData} form */
async function addAndChoose(form) {
  try {
    const account = await call('/gsi/accounts', { name: form.get('name'), email: form.get('email') });
    await choose(account.id);
  } catch (error) {
    element('other-problem').textContent = error instanceof Error ? error.message : String(error);
  }
}
element('other-form').addEventListener('submit', (event) => {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLFormElement) void addAndChoose(new FormData(event.currentTarget));
});
start().catch((error) => refuse(error instanceof Error ? error.message : String(error)));
