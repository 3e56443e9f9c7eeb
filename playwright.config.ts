import { availableParallelism } from 'node:os';
import { defineConfig, devices } from '@playwright/test';
import { notQuick, onBoth, onPhone } from './tests/e2e/tiers.ts';
import { findChromium } from './ship/launch/chromium.mjs';

/** Each test on each screen, not on one of them. */
const everything = process.env['EVERY_SCREEN'] === 'true';

const executablePath = findChromium();

/** These need no screen, so they run once. */
const alone = ['launch.spec.ts', 'logs.spec.ts'];

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'build/e2e',
  globalSetup: './tests/e2e/global-setup.ts',
  reporter: 'list',
  // All tests share one product, each with customers of its own. They wait for almost half of their time: two more than there are cores keep them busy.
  workers: availableParallelism() + 2,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  // They end what hangs, and measure no speed.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    // A trace costs more than the test that it follows: `--trace on` when one fails.
    trace: 'off',
    // Routes of a page don't see the requests of one; offline-data.spec.ts allows it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: executablePath === undefined ? {} : { executablePath },
  },
  projects: [
    {
      name: 'desktop',
      testIgnore: alone,
      ...(everything ? {} : { grepInvert: new RegExp(`${onPhone}|${notQuick}`) }),
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
    },
    {
      name: 'phone',
      testIgnore: alone,
      ...(everything ? {} : { grep: new RegExp(`${onPhone}|${onBoth}`) }),
      use: { ...devices['Pixel 7'] },
    },
    { name: 'launch', testMatch: 'launch.spec.ts' },
    // Reads what all the others have left in the logs.
    { name: 'logs', testMatch: 'logs.spec.ts', dependencies: ['desktop', 'phone'] },
  ],
});
