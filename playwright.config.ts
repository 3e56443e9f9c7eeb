import { defineConfig, devices } from '@playwright/test';
import { findChromium } from './launch/chromium.mjs';

const executablePath = findChromium();

/** These need no screen, so they run once. */
const alone = ['launch.spec.ts', 'logs.spec.ts'];

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'build/e2e',
  globalSetup: './e2e/global-setup.ts',
  reporter: 'list',
  // All tests share one product, each with customers of its own.
  workers: 2,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: executablePath === undefined ? {} : { executablePath },
  },
  projects: [
    {
      name: 'desktop',
      testIgnore: alone,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
    },
    { name: 'phone', testIgnore: alone, use: { ...devices['Pixel 7'] } },
    { name: 'launch', testMatch: 'launch.spec.ts' },
    // Reads what all the others have left in the logs.
    { name: 'logs', testMatch: 'logs.spec.ts', dependencies: ['desktop', 'phone'] },
  ],
});
