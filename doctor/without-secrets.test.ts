import { expect, test } from 'vitest';
import { allSettings } from '#ship/launch/settings.ts';
import { envName } from '#shared/platform/read-config.ts';
import { checks, examine } from './examine.ts';
import { withInstallation } from './installation.ts';

const names = [...allSettings().keys()].map(envName);

/** Forms in which secrets come: of Google, of Razorpay, of age, of a webhook, and in an address. Each setting gets one of its own. */
const forms: [of: string, secret: (number: number) => { value: string; secret: string }][] = [
  ['Google', (number) => ({ value: `GOCSPX-kLm0nOpQ9rSt${number}z`, secret: `kLm0nOpQ9rSt${number}z` })],
  ['Razorpay', (number) => ({ value: `kLm0nOpQ9rStUv${number}z`, secret: `kLm0nOpQ9rStUv${number}z` })],
  ['age', (number) => ({ value: `AGE-SECRET-KEY-1QQPQYZ${number}L`, secret: `1QQPQYZ${number}L` })],
  ['a webhook', (number) => ({ value: `whsec_local${number}secret`, secret: `local${number}secret` })],
  ['an address', (number) => ({ value: `https://user:hunter${number}x@127.0.0.1:10/`, secret: `hunter${number}x` })],
];

test.each(forms)('prints no secret of %s, whichever setting it stands in', async (_of, secretOf) => {
  const given = names.map((name, index) => ({ name, ...secretOf(index + 1000) }));
  const env = Object.fromEntries(given.map(({ name, value }) => [name, value]));
  const printed = JSON.stringify(await withInstallation({ env }, (installation) => examine(installation, checks)));
  expect(given.filter(({ secret }) => printed.includes(secret)).map(({ name }) => name)).toEqual([]);
});

test('prints no secret of a setting that is one, of whatever form', async () => {
  const env = { NODE_ENV: 'production', RAZORPAY_KEY_SECRET: 'correcthorse', JOURNAL_DIR: '/proc/correcthorse' };
  const printed = JSON.stringify(await withInstallation({ env }, (installation) => examine(installation, checks)));
  expect(printed).toContain('/proc/[RAZORPAY_KEY_SECRET]');
  expect(printed).not.toContain('correcthorse');
});
