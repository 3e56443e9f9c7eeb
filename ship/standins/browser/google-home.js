// @ts-check
// The page that describes the Google stand-in.

/** @param {string} id */
const element = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`There is no element ${id}.`);
  return found;
};

/** @param {Array<string | Node>} cells */
function row(...cells) {
  const line = document.createElement('tr');
  for (const cell of cells) {
    const data = document.createElement('td');
    data.append(cell);
    line.append(data);
  }
  return line;
}

/** @param {string} text */
function code(text) {
  const mark = document.createElement('code');
  mark.textContent = text;
  return mark;
}

async function show() {
  const about = await (await fetch('/standin/about')).json();
  element('people').replaceChildren(
    ...about.accounts.map((/** @type {Record<string, any>} */ person) => {
      const picture = document.createElement('img');
      picture.src = new URL(person['picture']).pathname;
      picture.alt = '';
      const verified = person['emailVerified'] ? 'Yes' : 'No';
      return row(picture, person['name'], person['email'], verified, person['hostedDomain'] ?? '–', code(person['id']));
    }),
  );
  const at = (/** @type {string} */ path) => code(`${location.origin}${path}`);
  element('addresses').replaceChildren(
    row('Client id', code(about.clientId)),
    row('Issuer in tokens', code(about.issuer)),
    row('Script', at('/gsi/client')),
    row('Keys', at('/oauth2/v3/certs')),
    row('Discovery', at('/.well-known/openid-configuration')),
  );
  element('keys').replaceChildren(...about.keys.flatMap((/** @type {string} */ kid) => [code(kid), ' ']));
  element('faults').replaceChildren(...about.faults.flatMap((/** @type {string} */ fault) => [code(fault), ' ']));
}

/** @param {boolean} dropOld */
async function rotate(dropOld) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ dropOld }) };
  const { kid } = await (await fetch('/standin/keys/rotate', init)).json();
  await show();
  element('status').textContent = `New tokens are signed with ${kid.slice(0, 8)}…`;
}

element('rotate').addEventListener('click', () => void rotate(false));
element('drop').addEventListener('click', () => void rotate(true));
await show();
