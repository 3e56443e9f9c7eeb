import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, devices, type Page } from '@playwright/test';
import { listActivations } from '#shared/contract/activations.ts';
import { listSupportThreads } from '#shared/contract/support.ts';
import { listWebhooks } from '#shared/contract/webhooks.ts';
import { type PortalCustomer, type PortalPlace, signInCustomer } from '#ship/demo/portal-customer.ts';
import { outlineOf, type Outlines } from './outline.ts';
import type { Screen } from './screens.ts';
import { keepSession } from './signed-in.ts';

/** Variants of a screen. */
export interface Look {
  name: string;
  context: Parameters<Browser['newContext']>[0];
  inHindi?: true;
}

const desktop = { viewport: { width: 1280, height: 800 } };
const phone = { ...devices['Pixel 7'], viewport: { width: 360, height: 740 } };
export const looks: Look[] = [
  { name: 'light', context: { ...desktop, colorScheme: 'light' } },
  { name: 'dark', context: { ...desktop, colorScheme: 'dark' } },
  { name: 'phone', context: phone },
  { name: 'phone-dark', context: { ...phone, colorScheme: 'dark' } },
  { name: 'hindi', context: desktop, inHindi: true },
  { name: 'hindi-phone', context: phone, inHindi: true },
];

/** A browser that shows the portal in a variant. */
export const openIn = ({ context }: Look, { portalUrl }: PortalPlace, browser: Browser): Promise<BrowserContext> =>
  browser.newContext({
    ...context,
    baseURL: portalUrl,
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    reducedMotion: 'reduce',
  });

interface Visit {
  customer: PortalCustomer;
  activationId: string;
  webhookId: string;
  threadId: string;
}

/**
 * Signs a customer in, and finds the subject of a screen: the tax look-up, which has the longest history, and the first
 * webhook and thread with support.
 */
async function visitOf(place: PortalPlace, account: string): Promise<Visit> {
  const customer = await signInCustomer(place, { account });
  const { activations } = await customer.send(listActivations, {});
  const found = activations.find(({ service }) => service.id === 'tax-lookup-api') ?? activations[0];
  const { webhooks } = await customer.send(listWebhooks, {});
  const [thread] = await customer.send(listSupportThreads, {});
  return {
    customer,
    activationId: found?.id ?? 'ACT-NONE',
    webhookId: webhooks[0]?.id ?? 'none',
    threadId: thread?.id ?? 'none',
  };
}

async function show(page: Page, screen: Screen, visit: Visit | undefined): Promise<void> {
  const path = screen.path
    .replace(':id', visit?.activationId ?? '')
    .replace(':webhook', visit?.webhookId ?? '')
    .replace(':thread', visit?.threadId ?? '');
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await screen.act?.(page);
  // A live page is never idle.
  await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => {});
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(isStill);
}

/** Only waiting indicators move without an end. */
const isStill = () =>
  document
    .getAnimations()
    .every(({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity);

/** Switches the language in place, so that open dialogs stay open. The switch is in the header of a wide page. */
async function showInHindi(page: Page): Promise<void> {
  const size = page.viewportSize() ?? desktop.viewport;
  await page.setViewportSize(desktop.viewport);
  await page
    .locator('button[lang=hi]')
    .first()
    .evaluate((button: HTMLElement) => button.click());
  await page.locator('html[lang=hi-IN]').waitFor();
  await page.setViewportSize(size);
  await page.evaluate(() => document.fonts.ready);
}

/** Makes the window as high as the page. A full-page picture would redo the layout and be taken before that is done. */
async function showWhole(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const { width } = page.viewportSize() ?? desktop.viewport;
  await page.setViewportSize({ width, height });
  // What is near the window now is loaded now.
  await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => {});
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.waitForFunction(isStill);
}

/** Takes screens in one variant into a folder; `isWhole`: also what is below the fold. Returns their outlines, by name. */
export async function takeScreens(
  place: PortalPlace,
  browser: Browser,
  { look, folder, of, isWhole }: { look: Look; folder: string; of: readonly Screen[]; isWhole: boolean },
): Promise<Outlines> {
  mkdirSync(folder, { recursive: true });
  const visits = new Map<string, Visit>();
  const outlines: Outlines = {};
  for (const screen of of) {
    const context = await openIn(look, place, browser);
    const page = await context.newPage();
    let visit: Visit | undefined;
    if (screen.account !== null) {
      visit = visits.get(screen.account) ?? (await visitOf(place, screen.account));
      visits.set(screen.account, visit);
      await keepSession(page, visit.customer.token);
    }
    await show(page, screen, visit);
    if (look.inHindi) await showInHindi(page);
    if (isWhole && screen.act === undefined) await showWhole(page);
    await page.screenshot({ path: join(folder, `${screen.name}.png`) });
    outlines[screen.name] = await outlineOf(page);
    await context.close();
    process.stdout.write(`  ${look.name} ${screen.name}\n`);
  }
  return outlines;
}
