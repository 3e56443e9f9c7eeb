import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, devices, type Page } from '@playwright/test';
import { listActivations } from '#contract/activations.ts';
import { startEmbedded } from '#database/embedded.ts';
import { fillDemo } from '#demo/fill.ts';
import { type PortalCustomer, signInCustomer } from '#demo/portal-customer.ts';
import { findChromium } from '#launch/chromium.mjs';
import { type ProductPlace, startProduct } from './product.ts';
import { pictureInvoice } from './picture-of-paper.ts';
import { type Screen, screens } from './screens.ts';
import { keepSession } from './signed-in.ts';

/**
 * Takes the pictures of the documentation from a running product with a past: `npm run pictures`. With `--screens` every
 * screen instead, light, dark and on a phone, into the ignored folder screenshots/.
 */
const root = join(import.meta.dirname, '..');

interface Look {
  name: string;
  context: Parameters<Browser['newContext']>[0];
}

const desktop = { viewport: { width: 1280, height: 800 } };
const looks: Look[] = [
  { name: 'light', context: { ...desktop, colorScheme: 'light' } },
  { name: 'dark', context: { ...desktop, colorScheme: 'dark' } },
  { name: 'phone', context: { ...devices['Pixel 7'], viewport: { width: 360, height: 740 } } },
];

/** The activation of a customer that a screen is of: the newest of the tax look-up, as it has the longest past. */
async function activationOf(customer: PortalCustomer): Promise<string> {
  const { activations } = await customer.send(listActivations, {});
  const found = activations.find(({ service }) => service.id === 'tax-lookup-api') ?? activations[0];
  return found?.id ?? 'ACT-NONE';
}

async function show(page: Page, screen: Screen, activationId: string): Promise<void> {
  await page.goto(screen.path.replace(':id', activationId));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await screen.act?.(page);
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
}

async function takeAll(
  place: ProductPlace,
  browser: Browser,
  { look, folder, of, isWhole }: { look: Look; folder: string; of: readonly Screen[]; isWhole: boolean },
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const customers = new Map<string, { customer: PortalCustomer; activationId: string }>();
  for (const screen of of) {
    const context = await browser.newContext({
      ...look.context,
      baseURL: place.portalUrl,
      locale: 'en-IN',
      timezoneId: 'Asia/Kolkata',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    if (screen.account !== null) {
      const known = customers.get(screen.account);
      const customer = known?.customer ?? (await signInCustomer(place, { account: screen.account }));
      const activationId = known?.activationId ?? (await activationOf(customer));
      customers.set(screen.account, { customer, activationId });
      await keepSession(page, customer.token);
      await show(page, screen, activationId);
    } else {
      await show(page, screen, '');
    }
    await page.screenshot({ path: join(folder, `${screen.name}.png`), fullPage: isWhole && screen.act === undefined });
    await context.close();
    process.stdout.write(`  ${look.name} ${screen.name}\n`);
  }
}

const executablePath = findChromium();
const product = await startProduct({ SIGN_INS_PER_MINUTE: '1000' });
try {
  // It runs already: this attaches to it.
  const { dataDir } = product;
  const database = await startEmbedded({ dataDir, logFile: join(dataDir, 'logs', 'postgres.log') });
  await fillDemo(product, database.databaseUrl);
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
  if (process.argv.includes('--screens')) {
    for (const look of looks) {
      const folder = join(root, 'screenshots', look.name);
      await takeAll(product, browser, { look, folder, of: screens, isWhole: true });
    }
  } else {
    const [light] = looks;
    const folder = join(root, 'docs', 'pictures');
    const pictured = screens.filter(({ inDocs }) => inDocs);
    if (light !== undefined) await takeAll(product, browser, { look: light, folder, of: pictured, isWhole: false });
    await pictureInvoice(product, browser, 'asha', join(folder, 'invoice.png'));
  }
  await browser.close();
} finally {
  await product.remove();
}
