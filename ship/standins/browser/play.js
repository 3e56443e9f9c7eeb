// @ts-check
// The page that moves the product's clock and sets payment outcomes.
import { startClock } from './play-clock.js';
import { startMandates } from './play-mandates.js';
import { startPayments } from './play-payments.js';

const about = await (await fetch('/standin/about')).json();
const portal = new URL(about.webhookUrl).origin;
for (const [id, address] of [
  ['portal', portal],
  ['outbox', `${portal}/backend/outbox`],
]) {
  const link = document.getElementById(id ?? '');
  if (link instanceof HTMLAnchorElement) link.href = address ?? '';
}
await Promise.all([startClock(), startPayments(), startMandates()]);
