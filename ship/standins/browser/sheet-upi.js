// @ts-check
// UPI in the sheet: a QR code on a desktop; on a phone a choice of apps, and a UPI ID where one may still be typed.
import { call } from './sheet-call.js';
import { all, element, screenName, show } from './sheet-screens.js';

/** The page of the stand-in that plays the payer's app. @param {string} link */
export const phoneOf = (link) => `/phone?link=${encodeURIComponent(link)}`;

/**
 * Shows the ways that this device may have and the page has not hidden; false when none is left.
 * @param {string[]} flows @param {{ method: string, flows?: string[] }[]} hidden
 */
export function showFlows(flows, hidden) {
  const left = flows.filter(
    (flow) => !hidden.some((each) => each.method === 'upi' && (each.flows ?? [flow]).includes(flow)),
  );
  for (const part of all('[data-flow]')) part.hidden = !left.includes(part.dataset['flow'] ?? '');
  return left.length > 0;
}

/** @param {string} flow */
export const offers = (flow) => all(`[data-flow=${flow}]`).some((part) => !part.hidden);

/** Minutes and seconds. @param {number} ms */
export function clockText(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Shows a QR code until a payer has answered it, it lapses, or the customer leaves the screen. Returns the payment.
 * @param {{ id: string, link: string, image: string }} code
 */
export async function watchCode({ id, link, image }) {
  element('code').src = image;
  element('code').dataset['link'] = link;
  element('code-phone').href = phoneOf(link);
  const isShown = () => element('code').dataset['link'] === link && ['code', 'confirm'].includes(screenName());
  for (;;) {
    const { closes_in_ms: left, payment } = await call(`/checkout/qr-codes/${id}`);
    element('code-left').textContent = clockText(left);
    if (screenName() === 'methods') show('code');
    if (payment) return isShown() ? payment : null;
    if (left === 0) {
      if (isShown()) show('expired');
      return null;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (!isShown()) return null;
  }
}
