// @ts-check
// The screens of the sheet: which one is visible, where the focus goes, which fields are marked as invalid.

let screen = 'methods';

/** The visible screen. */
export const screenName = () => screen;

/** @param {string} id @returns {any} */
export const element = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`There is no element ${id}.`);
  return found;
};
/** @param {string} selector @returns {HTMLElement[]} */
export const all = (selector) =>
  [...document.querySelectorAll(selector)].filter((found) => found instanceof HTMLElement);

const titles = new Map([
  ['methods', 'Payment options'],
  ['otp', 'Verify payment'],
  ['bank', 'Bank page'],
  ['code', 'Pay by UPI'],
  ['expired', 'Pay by UPI'],
  ['app', 'Pay by UPI'],
  ['wait', 'In progress'],
  ['success', 'Done'],
  ['failed', 'Payment'],
  ['confirm', 'Payment'],
]);

/** @param {string} name */
export function show(name) {
  screen = name;
  for (const section of all('[data-screen]')) section.hidden = section.dataset['screen'] !== name;
  element('title').textContent = titles.get(name);
  const shown = all('[data-screen]').find((section) => !section.hidden);
  const first = shown?.querySelector('[role=tabpanel]:not([hidden]) input, #otp, button.main');
  (first instanceof HTMLElement && name !== 'wait' ? first : element('title')).focus();
}

/** @param {string} title @param {string} text */
export function showWait(title, text) {
  element('wait-title').textContent = title;
  element('wait-text').textContent = text;
  show('wait');
}

/** @param {string} title @param {string} text @param {boolean} canRetry */
export function showFailure(title, text, canRetry) {
  element('failed-title').textContent = title;
  element('failed-text').textContent = text;
  element('retry').hidden = !canRetry;
  show('failed');
  element(canRetry ? 'retry' : 'leave').focus();
}

/** @param {string} id @param {string} problem */
export function mark(id, problem) {
  element(`${id}-problem`).textContent = problem;
  element(id).setAttribute('aria-invalid', String(problem !== ''));
  return problem === '';
}

/**
 * Keeps Tab inside the sheet.
 * @param {KeyboardEvent} event
 */
export function keepFocus(event) {
  const stops = all('button, input').filter(
    (stop) => stop.offsetParent && stop.tabIndex >= 0 && !stop.hasAttribute('disabled'),
  );
  const [first, last] = [stops.at(0), stops.at(-1)];
  const isOut = event.shiftKey ? document.activeElement === first : document.activeElement === last;
  if (!isOut) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
