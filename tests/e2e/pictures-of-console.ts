import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { readAccount } from '#shared/contract/account.ts';
import { signInCustomer } from '#ship/demo/portal-customer.ts';
import { settle } from './axe.ts';
import { consolePages, partsOfCustomer } from './console-pages.ts';
import { addOperator, openAsOperator } from './operator.ts';
import { outlineOf, type Outlines } from './outline.ts';
import type { ProductPlace } from './product.ts';
import { type Look, openIn } from './take-screens.ts';

/** Pages of the console to take pictures of, with `:id` for a customer; the first one is in the documentation. */
export const consoleScreens = [
  { name: 'console', path: '/customers/:id' },
  ...partsOfCustomer.slice(1).map((part) => ({ name: `console-customer-${part}`, path: `/customers/:id?tab=${part}` })),
  ...consolePages.map(({ path }) => ({
    name: path === '/' ? 'console-today' : `console${path.replaceAll(/\W+/g, '-')}`,
    path,
  })),
];

/** Takes them in some variants; `folderOf`: where to. Returns the outlines of the last variant, by name. */
export async function takeConsole(
  place: ProductPlace,
  browser: Browser,
  {
    of,
    inLooks,
    folderOf,
  }: { of: readonly (typeof consoleScreens)[number][]; inLooks: readonly Look[]; folderOf: (look: Look) => string },
): Promise<Outlines> {
  const outlines: Outlines = {};
  const owner = await addOperator(place, 'owner');
  const { user } = await (await signInCustomer(place, { account: 'asha' })).send(readAccount, {});
  for (const look of inLooks) {
    mkdirSync(folderOf(look), { recursive: true });
    const context = await openIn(look, place, browser);
    const page = await context.newPage();
    for (const { name, path } of of) {
      await openAsOperator(page, place, owner, path.replace(':id', user.id));
      await page.getByRole('heading', { level: 1 }).waitFor();
      // Parts of a page that come by themselves, such as a chart.
      await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => {});
      await settle(page);
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: join(folderOf(look), `${name}.png`) });
      outlines[name] = await outlineOf(page);
      process.stdout.write(`  ${look.name} ${name}\n`);
    }
    await context.close();
  }
  return outlines;
}
