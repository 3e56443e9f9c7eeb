import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { placeIn } from '#shared/domain/test-place.ts';
import { newBuyer } from './features/documents/test-buyer.ts';
import { readSettingsOfPortal } from './document-settings.ts';
import { readHealth } from './health.ts';
import { joinPortals } from './portal-presence.ts';
import { startTestPortal, type TestPortal } from './test-portal.ts';

let world: TestPortal;
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
});
afterAll(() => world.close());

async function join(env: Record<string, string>) {
  const joined = await joinPortals(world.portal.db, env, world.portal.log);
  onTestFinished(joined.stop);
  return joined;
}
const inEffect = async (portal: Awaited<ReturnType<typeof join>>) => (await portal.compare(world.portal.db)).inEffect;

test('of two portals with different settings of documents, only the newest issues any, until the other is gone', async () => {
  world.portal.presence = await join({ INVOICE_PREFIX: 'GEO' });
  onTestFinished(() => void (world.portal.presence = undefined));
  const buyAnew = async () => (await newBuyer(world, placeIn('29'))).buy(0);
  await buyAnew();
  const documents = () => world.portal.db.selectFrom('documents').select('number').execute();
  const before = await documents();
  expect(before.length).toBeGreaterThan(0);
  const newer = await join({
    INVOICE_PREFIX: 'ACM',
    SUPPLIER_ADDRESS: '1 Elsewhere, Pune',
    GSP_CLIENT_SECRET: 'hidden-secret',
  });
  const differing = ['SUPPLIER_ADDRESS', 'INVOICE_PREFIX', 'GSP_CLIENT_SECRET'];
  expect(await newer.compare(world.portal.db)).toEqual({ running: 2, differing, inEffect: true });

  await expect(buyAnew()).rejects.toThrow('responded with 500');

  expect(await documents()).toEqual(before);
  const unsettled = await world.portal.db.selectFrom('unsettled_payments').select('fault').execute();
  expect(unsettled).toEqual([
    { fault: expect.stringMatching(/issues no documents: SUPPLIER_ADDRESS, INVOICE_PREFIX/) },
  ]);
  expect(await readHealth(world.portal)).toMatchObject({
    status: 'failing',
    portals: { running: 2, differing, inEffect: false },
  });
  await expect(readSettingsOfPortal(world.portal.db, {})).rejects.toThrow(
    'INVOICE_PREFIX is another one for the portal',
  );
  expect(world.logLines.join('')).toContain(
    'portals have different settings of documents: those of this one are in effect',
  );
  const rows = await world.portal.db.selectFrom('portals').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain('hidden-secret');

  await newer.stop();
  await buyAnew();
  expect((await documents()).length).toBeGreaterThan(before.length);
});

test('a portal of a forgotten machine brings no earlier settings back into effect when it starts again', async () => {
  const forgotten = await join({ INVOICE_PREFIX: 'OLD' });
  const changed = await join({ INVOICE_PREFIX: 'NEW' });
  expect([await inEffect(forgotten), await inEffect(changed)]).toEqual([false, true]);
  await forgotten.stop();
  const again = await join({ INVOICE_PREFIX: 'OLD' });
  expect([await inEffect(again), await inEffect(changed)]).toEqual([false, true]);
});

test('earlier settings are in effect again once every portal has them', async () => {
  const first = await join({ INVOICE_PREFIX: 'ONE' });
  await first.stop();
  const changed = await join({ INVOICE_PREFIX: 'TWO' });
  const back = await join({ INVOICE_PREFIX: 'ONE' });
  expect(await inEffect(back)).toBe(false);
  await changed.stop();
  expect(await inEffect(back)).toBe(true);
});

test('a setting that is given as its default is no difference, and neither is the folder of a machine', async () => {
  const one = await join({ CATALOG_DIR: '/a' });
  await join({ INVOICE_PREFIX: 'OCT', CATALOG_DIR: '/b' });
  expect(await one.compare(world.portal.db)).toEqual({ running: 2, differing: [], inEffect: true });
});

test('a command is compared with the portal that ran last while none runs', async () => {
  const last = await join({ INVOICE_PREFIX: 'LST' });
  await last.stop();
  expect((await readSettingsOfPortal(world.portal.db, {})).invoicePrefix).toBe('LST');
});
