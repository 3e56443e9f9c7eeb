import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { placeIn } from '#shared/domain/test-place.ts';
import { newBuyer } from './features/documents/test-buyer.ts';
import { readSettingsOfPortal } from './document-settings.ts';
import { readHealth } from './health.ts';
import { joinPortals } from './portal-presence.ts';
import { startTestPortal, type TestPortal } from './test/portal.ts';

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

test('portals with different settings of documents are named in health and log, commands refuse, and sales go on', async () => {
  world.portal.presence = await join({ INVOICE_PREFIX: 'GEO' });
  onTestFinished(() => void (world.portal.presence = undefined));
  const newer = await join({
    INVOICE_PREFIX: 'ACM',
    SUPPLIER_ADDRESS: '1 Elsewhere, Pune',
    GSP_CLIENT_SECRET: 'hidden-secret',
  });
  const differing = ['SUPPLIER_ADDRESS', 'INVOICE_PREFIX', 'GSP_CLIENT_SECRET'];
  expect(await newer.compare(world.portal.db)).toEqual({ running: 2, differing });
  expect(await readHealth(world.portal)).toMatchObject({ status: 'failing', portals: { running: 2, differing } });
  expect(world.logLines.join('')).toContain('portals have different settings of documents');
  await expect(readSettingsOfPortal(world.portal.db, {})).rejects.toThrow(
    'INVOICE_PREFIX is another one for the portal',
  );
  await (await newBuyer(world, placeIn('29'))).buy(0);
  expect(await world.portal.db.selectFrom('documents').select('number').execute()).not.toEqual([]);
  const rows = await world.portal.db.selectFrom('portals').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain('hidden-secret');

  await newer.stop();

  expect(await readHealth(world.portal)).toMatchObject({ status: 'ok', portals: { running: 1, differing: [] } });
});

test('a setting that is given as its default is no difference, and neither is the folder of a machine', async () => {
  const one = await join({ CATALOG_DIR: '/a' });
  await join({ INVOICE_PREFIX: 'OCT', CATALOG_DIR: '/b' });
  expect(await one.compare(world.portal.db)).toEqual({ running: 2, differing: [] });
});

test('a command is compared with the portal that ran last while none runs', async () => {
  const last = await join({ INVOICE_PREFIX: 'LST' });
  await last.stop();
  expect((await readSettingsOfPortal(world.portal.db, {})).invoicePrefix).toBe('LST');
});
