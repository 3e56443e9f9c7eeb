import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { startEmbedded } from '#shared/database/embedded.ts';
import { fillDemo } from '#ship/demo/fill.ts';
import { signInCustomer } from '#ship/demo/portal-customer.ts';
import { findChromium } from '#ship/launch/chromium.mjs';
import { makeCallsAndWebhook } from './pictured-calls.ts';
import { pictureInvoice } from './picture-of-paper.ts';
import { consoleScreens, takeConsole } from './pictures-of-console.ts';
import { startProduct } from './product.ts';
import { screens } from './screens.ts';
import { looks, takeScreens } from './take-screens.ts';

/**
 * Takes the documentation's pictures from a running product with history: `npm run pictures`. With `--screens` takes
 * every screen instead, light, dark, on a phone and in Hindi, into the ignored folder screenshots/.
 */
const root = join(import.meta.dirname, '..', '..');

/** `npm run screens -- phone keys`: only these variants, only these screens. */
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { screens: { type: 'boolean', default: false } },
});
const asked = new Set(positionals);
const chosen = <T extends { name: string }>(all: readonly T[]): readonly T[] => {
  const found = all.filter(({ name }) => asked.has(name));
  return found.length > 0 ? found : all;
};

const executablePath = findChromium();
const product = await startProduct();
try {
  // It is already running: this attaches to it.
  const { dataDir } = product;
  const database = await startEmbedded({ dataDir, logFile: join(dataDir, 'logs', 'postgres.log') });
  await fillDemo(product, database.databaseUrl);
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
  if (flags.screens) {
    const receiver = await makeCallsAndWebhook(product, 'asha');
    for (const look of chosen(looks)) {
      const folder = join(root, 'screenshots', look.name);
      await takeScreens(product, browser, { look, folder, of: chosen(screens), isWhole: true });
    }
    receiver.close();
    await takeConsole(product, browser, {
      of: chosen(consoleScreens),
      inLooks: chosen(looks).filter(({ inHindi }) => !inHindi),
      folderOf: ({ name }) => join(root, 'screenshots', name),
    });
  } else {
    const [light] = looks;
    const folder = join(root, 'docs', 'pictures');
    const pictured = screens.filter(({ inDocs }) => inDocs);
    if (light !== undefined) await takeScreens(product, browser, { look: light, folder, of: pictured, isWhole: false });
    await takeConsole(product, browser, {
      of: consoleScreens.slice(0, 1),
      inLooks: looks.slice(0, 1),
      folderOf: () => folder,
    });
    await pictureInvoice(
      product,
      browser,
      await signInCustomer(product, { account: 'asha' }),
      join(folder, 'invoice.png'),
    );
  }
  await browser.close();
} finally {
  await product.remove();
}
