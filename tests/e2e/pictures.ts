import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { findChromium } from '#ship/launch/chromium.mjs';
import { documentationPictures, fillWithDemo, outlinesFile, takeDocumentation } from './documentation-pictures.ts';
import { makeCallsAndWebhook } from './pictured-calls.ts';
import { consoleScreens, takeConsole } from './pictures-of-console.ts';
import { startProduct } from './product.ts';
import { screens } from './screens.ts';
import { looks, takeScreens } from './take-screens.ts';

/**
 * Takes the documentation's pictures from a running product with history: `npm run pictures`, which a test asks for when
 * one of their pages has changed. With `--screens` takes every screen instead, light, dark, on a phone and in Hindi, into
 * the ignored folder screenshots/.
 */
const root = join(import.meta.dirname, '..', '..');

/** `npm run screens -- phone keys`: only these variants, only these screens. */
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { screens: { type: 'boolean', default: false } },
});
const asked = new Set(positionals);
const isChosen = ({ name }: { name: string }) => asked.has(name);
const chosenLooks = looks.some(isChosen) ? looks.filter(isChosen) : looks;
const namesScreens = [...screens, ...consoleScreens].some(isChosen);
const chosen = <T extends { name: string }>(all: readonly T[]): readonly T[] =>
  namesScreens ? all.filter(isChosen) : all;

const executablePath = findChromium();
const product = await startProduct();
try {
  await fillWithDemo(product);
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
  if (flags.screens) {
    const receiver = await makeCallsAndWebhook(product, 'asha');
    for (const look of chosenLooks) {
      const folder = join(root, 'screenshots', look.name);
      await takeScreens(product, browser, { look, folder, of: chosen(screens), isWhole: true });
    }
    receiver.close();
    await takeConsole(product, browser, {
      of: chosen(consoleScreens),
      inLooks: chosenLooks.filter(({ inHindi }) => !inHindi),
      folderOf: ({ name }) => join(root, 'screenshots', name),
    });
  } else {
    writeFileSync(outlinesFile, await takeDocumentation(product, browser, documentationPictures));
  }
  await browser.close();
} finally {
  await product.remove();
}
