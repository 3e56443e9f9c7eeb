import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { z } from 'zod';
import { activateService, listProducts } from '#shared/contract/marketplace.ts';
import { giveProfile, type PortalCustomer } from '#ship/demo/portal-customer.ts';
import { findChromium } from '#ship/launch/chromium.mjs';
import { newCustomer } from './customer-calls.ts';
import { pictureInvoice } from './picture-of-paper.ts';
import { startProduct } from './product.ts';

/**
 * Writes pictures of a brand: the portal in light and dark mode and on a phone, a mail, and an invoice.
 * `npm run brand-preview -- ./brand`; without a folder it takes BRAND_DIR, or the sample.
 */
const root = join(import.meta.dirname, '..', '..');
const brandDir = resolve(process.argv[2] ?? process.env['BRAND_DIR'] ?? join(root, 'ship', 'standins', 'brand'));
const folder = join(root, 'screenshots', 'brand');

const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 860 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

const executablePath = findChromium();
const product = await startProduct({ BRAND_DIR: brandDir });
try {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
  const { customer, activationId } = await payingCustomer();
  for (const { name, ...look } of looks) {
    const context = await browser.newContext({ ...look, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(`${product.portalUrl}/login`);
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    await page.screenshot({ path: join(folder, `login-${name}.png`), fullPage: true });
    await page.evaluate((token) => localStorage.setItem('portal.session', token), customer.token);
    for (const [screen, path] of [
      ['marketplace', '/marketplace'],
      ['usage', `/api/${activationId}`],
    ] as const) {
      await page.goto(product.portalUrl + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
      await page.screenshot({ path: join(folder, `${screen}-${name}.png`), fullPage: true });
    }
    await context.close();
  }
  await pictureMail(browser);
  await pictureInvoice(product, browser, customer, join(folder, 'invoice.png'));
  await browser.close();
  process.stdout.write(`${folder}\n`);
} finally {
  await product.remove();
}

/** A customer of the first plan that costs something, whatever the catalogue sells. */
async function payingCustomer(): Promise<{ customer: PortalCustomer; activationId: string }> {
  const customer = await newCustomer(product);
  await giveProfile(customer);
  const offers = (await customer.send(listProducts, {})).flatMap(({ id, plans }) =>
    plans.filter(({ total }) => total > 0).map((plan) => ({ serviceId: id, planId: plan.id })),
  );
  const [offer] = offers;
  if (offer === undefined)
    throw new Error('No plan of the catalogue costs anything, so there is no mail and no invoice.');
  const { activationId, billingCycleId = '' } = await customer.send(activateService, { body: offer });
  await customer.pay(billingCycleId);
  return { customer, activationId };
}

/** The newest mail of the outbox, as a mail program shows it. */
async function pictureMail(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 720, height: 760 } });
  const outbox = await page.request.get(`${product.portalUrl}/backend/outbox`, {
    headers: { accept: 'application/json' },
  });
  const [mail] = z.array(z.object({ id: z.string() })).parse(await outbox.json());
  if (mail === undefined) throw new Error('there is no mail');
  const html = await (await page.request.get(`${product.portalUrl}/backend/outbox/${mail.id}`)).text();
  // The outbox shows mails without images; a mail program has no such policy.
  await page.setContent(html, { waitUntil: 'networkidle' });
  await page.screenshot({ path: join(folder, 'mail.png') });
  await page.close();
}
