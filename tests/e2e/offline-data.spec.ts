import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import { readAccount } from '#shared/contract/account.ts';
import { octroi } from './operator.ts';
import { keepSession, newActivation, newPaidActivation, openAs, sessionStorageKey } from './signed-in.ts';
import { onBoth, onPhone } from './tiers.ts';
import { expect, test } from './visitor.ts';

/** What the pages show while the network is away (web/public/offline.js). */

test.use({ serviceWorkers: 'allow' });

/** Everything that the browser keeps, by its place. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const all = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => `${name} ${url}`)),
    );
    return all.flat();
  });

/** All that stays in the browser: names, addresses and contents. */
const stays = (page: Page) =>
  page.evaluate(async () => {
    const texts: string[] = (await indexedDB.databases()).map(({ name }) => `database ${name}`);
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        texts.push(name, request.url, (await (await cache.match(request))?.text()) ?? '');
    }
    return texts.join('\n');
  });

const expectNoData = (page: Page) =>
  expect.poll(async () => (await kept(page)).filter((each) => each.startsWith('portal-data'))).toEqual([]);

/** The page as it is kept once it was read again under the worker. */
async function openKept(page: Page, calls: RegExp): Promise<void> {
  await expect.poll(async () => (await kept(page)).some((each) => each.startsWith('portal-frames'))).toBe(true);
  await page.reload();
  await expect.poll(async () => (await kept(page)).some((each) => calls.test(each))).toBe(true);
}

test('without a network a reload shows the frame, the last data and of when they are; no data are left once the session has ended', async ({
  page,
  context,
  visitor,
}) => {
  await openAs(page, visitor.customer, `/api/${visitor.activationId}`);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Tax Lookup API');
  await openKept(page, /\/usage$/);
  await expect(heading).toHaveText('Tax Lookup API');
  await context.setOffline(true);
  await page.reload();
  await expect(heading).toHaveText('Tax Lookup API');
  await expect(page.getByText(/^You are offline; this is as of \d\d:\d\d\.$/)).toBeVisible();
  expect((await kept(page)).filter((each) => /billing|order|document|plans|secret|requests/.test(each))).toEqual([]);
  await context.setOffline(false);
  await expect(page.getByText('You are offline')).toBeHidden();
  // Ended by the portal, as after Logout in another tab.
  await page.evaluate((key) => localStorage.removeItem(key), sessionStorageKey);
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
  await expectNoData(page);
});

test('after Logout nothing that the browser keeps is of the customer, and the next one finds nothing', async ({
  page,
  context,
  product,
  newcomer,
}) => {
  const { customer, activationId } = await newPaidActivation(product);
  await openAs(page, customer, `/api/${activationId}`);
  await openKept(page, /\/usage$/);
  await page.goto('/account');
  await expect.poll(async () => (await kept(page)).some((each) => each.endsWith('backend/account'))).toBe(true);
  const { user } = await customer.send(readAccount, {});
  const words = [user.id, user.name, user.email, activationId];
  const before = await stays(page);
  expect(words.filter((word) => before.includes(word))).toEqual(words);
  expect(before).not.toContain(customer.token);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login/);
  await expectNoData(page);
  const after = await stays(page);
  expect(after).toContain('portal-frames');
  expect(after).not.toContain('database ');
  expect(words.filter((word) => after.includes(word))).toEqual([]);
  await keepSession(page, newcomer.token);
  await context.setOffline(true);
  await page.goto(`/activations/${activationId}`);
  await expect(page.getByText(/^You are offline/).first()).toBeVisible();
  await expect(page.getByText('Tax Lookup API')).toHaveCount(0);
  await context.setOffline(false);
});

test(
  'a block wipes what is kept, and without a network nothing of the account shows',
  { tag: onBoth },
  async ({ page, context, product }) => {
    const { customer, activationId } = await newActivation(product, 'growth');
    await openAs(page, customer, `/activations/${activationId}`);
    await openKept(page, /backend\/account$/);
    const { user } = await customer.send(readAccount, {});
    await octroi(product, ['customers', 'block', user.id, '--reason', 'Keys were sold to others', '--yes']);
    await page.reload();
    await expect(page.getByText('Your account has been blocked since')).toBeVisible();
    await expectNoData(page);
    const after = await stays(page);
    expect([user.name, user.email, activationId].filter((word) => after.includes(word))).toEqual([]);
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText(/^You are offline/).first()).toBeVisible();
    await expect(page.getByText(user.email)).toHaveCount(0);
    await context.setOffline(false);
  },
);

test('an erased account leaves nothing in the browser', async ({ page, product }) => {
  const { customer, activationId } = await newActivation(product, 'growth');
  await openAs(page, customer, `/activations/${activationId}`);
  await openKept(page, /backend\/account$/);
  const { user } = await customer.send(readAccount, {});
  const reason = ['--reason', 'Asked by the customer', '--end-plans', '--within-year', '--yes'];
  await octroi(product, ['customers', 'erase', user.id, ...reason]);
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
  await expectNoData(page);
  const after = await stays(page);
  expect([user.name, user.email, activationId].filter((word) => after.includes(word))).toEqual([]);
});

test(
  'in Hindi, on a phone, a reload without a network shows the last data and of when they are',
  { tag: onPhone },
  async ({ page, context, visitor }) => {
    await keepSession(page, visitor.customer.token);
    await page.evaluate(() => localStorage.setItem('language', 'hi'));
    await page.goto('/marketplace');
    await openKept(page, /backend\/customer\/activations$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('मेरे एक्टिवेशन');
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText(/^आप ऑफ़लाइन हैं; यह जानकारी \d\d:\d\d तक की है।$/)).toBeVisible();
    await expect(page.getByRole('main').getByText(visitor.activationId)).toBeVisible();
    await context.setOffline(false);
  },
);

test('another session in the same browser sees nothing of what was kept for the one before', async ({
  page,
  context,
  visitor,
  newcomer,
}) => {
  await openAs(page, visitor.customer, '/account');
  await openKept(page, /backend\/account$/);
  await keepSession(page, newcomer.token);
  await context.setOffline(true);
  await page.goto('/account');
  await expect(page.getByText(visitor.customer.email)).toHaveCount(0);
  await context.setOffline(false);
});

test('buttons that pay say that they need the network', async ({ page, context, product }) => {
  const { customer, activationId } = await newActivation(product, 'growth');
  await openAs(page, customer, `/activations/${activationId}/billing`);
  const pay = page.getByRole('button', { name: /^Pay ₹/ }).first();
  await expect(pay).toBeEnabled();
  await context.setOffline(true);
  await expect(page.getByRole('button', { name: 'Paying needs the network' }).first()).toBeDisabled();
  await expect(pay).toBeHidden();
  await context.setOffline(false);
  await expect(pay).toBeEnabled();
});

test('after an upgrade a page is that of the new build at once, and so is what is kept', async ({
  page,
  context,
  visitor,
  product,
}) => {
  let build = '';
  // With each load the worker asks for the page too; the second time, of the first build, it gets it late.
  const late = new AbortController();
  let asked = 0;
  let isLateOver = false;
  const http = createServer((request, response) => {
    void (async () => {
      const headers = new Headers({ accept: request.headers.accept ?? '*/*' });
      if (request.headers.authorization) headers.set('authorization', request.headers.authorization);
      const from = await fetch(product.portalUrl + (request.url ?? '/'), { headers });
      const type = from.headers.get('content-type') ?? '';
      const body = Buffer.from(await from.arrayBuffer());
      response.writeHead(request.url === `/assets/${build}.js` ? 200 : from.status, {
        'content-type': request.url === `/assets/${build}.js` ? 'text/javascript' : type,
        'cache-control': 'no-store',
      });
      const isPage = type.startsWith('text/html') && build !== '';
      const isOfWorker = type.startsWith('text/html') && request.headers.accept === '*/*';
      if (isOfWorker) asked += 1;
      if (isOfWorker && asked === 2) {
        await once(late.signal, 'abort');
        response.on('finish', () => (isLateOver = true));
      }
      response.end(
        isPage
          ? body
              .toString()
              .replace('<meta charset', `<link rel="modulepreload" href="/assets/${build}.js"><meta charset`)
          : body,
      );
    })();
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const marker = page.locator('link[href="/assets/second.js"]');
  await keepSession(page, visitor.customer.token, origin);
  await page.goto(`${origin}/account`);
  await openKept(page, /backend\/account$/);
  await expect(marker).toHaveCount(0);
  await expect.poll(() => asked).toBe(2);
  build = 'second';
  await page.reload();
  await expect(marker).toHaveCount(1);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toBeVisible();
  // The files of the last build are gone, and all of this one that the page has loaded are there.
  const lost = async () => {
    const names = await kept(page);
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    const ours = loaded.filter((name) => name.startsWith(`${origin}/assets/`));
    expect(ours.length).toBeGreaterThan(2);
    return ours.filter((name) => !names.some((each) => each.endsWith(` ${name}`)));
  };
  await expect.poll(lost).toEqual([]);
  late.abort();
  await expect.poll(() => isLateOver).toBe(true);
  await context.setOffline(true);
  await page.reload();
  await expect(heading).toBeVisible();
  await expect(marker).toHaveCount(1);
  await context.setOffline(false);
  http.closeAllConnections();
  http.close();
});
