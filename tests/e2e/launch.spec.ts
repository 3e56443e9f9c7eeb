import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { newCallingCustomer } from './customer-calls.ts';
import { expect, type Product, startProduct, test } from './product.ts';

// A product of their own, since these tests stop and kill it.
test.describe.configure({ mode: 'serial' });
let own: Product;
test.beforeAll(async () => void (own = await startProduct()));
test.afterAll(() => own.remove());

test('after kill -9 everything that was acknowledged is there: the account, the key, and each call counted once', async () => {
  const customer = await newCallingCustomer(own);
  let answered = 0;
  const calling = (async () => {
    for (;;) if ((await customer.callApi()) === 200) answered += 1;
  })().catch(() => {});
  await expect.poll(() => answered).toBeGreaterThan(10);
  await own.kill9();
  await calling;

  await own.restart();
  const counted = await customer.countedToday();
  // One call may have been counted without its response arriving.
  expect(counted).toBeGreaterThanOrEqual(answered);
  expect(counted).toBeLessThanOrEqual(answered + 1);
  expect(await customer.callApi()).toBe(200);
  await expect.poll(customer.countedToday).toBe(counted + 1);
});

test('a second start on the same data is refused with a message, and the first continues', async () => {
  const second = spawnSync(process.execPath, [join('ship', 'launch', 'start.mjs'), '--data', own.dataDir], {
    encoding: 'utf8',
  });
  expect(second.status).toBe(1);
  expect(second.stdout).toContain(`Another Octroi already runs on ${own.dataDir}`);
  expect(second.stdout).toContain(own.portalUrl);
  expect((await fetch(`${own.portalUrl}/backend/health`)).status).toBe(200);
});

test('Ctrl-C stops everything in order, without errors, and nothing is lost', async () => {
  const customer = await newCallingCustomer(own);
  for (let call = 0; call < 3; call += 1) expect(await customer.callApi()).toBe(200);
  expect(await own.stop()).toBe(0);
  await expect.poll(own.terminal).toContain('Stopped.');
  expect(own.terminal()).not.toContain('was killed');
  expect(own.logs()).not.toContain('took longer than the deadline');
  expect(own.logs()).not.toContain('received immediate shutdown request');
  await expect(fetch(own.portalUrl)).rejects.toThrow();
  await own.restart();
  expect(await customer.countedToday()).toBe(3);
});
