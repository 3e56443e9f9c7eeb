import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { placeIn } from '#shared/domain/test-place.ts';
import { newBuyer } from './features/documents/test-buyer.ts';
import { readSettingsOfPortal, strictestApprovalRupees } from './document-settings.ts';
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
  expect(world.logLines.join('')).toContain('portals have different settings of documents or rules');
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

test('rules that portals apply by themselves are named when they differ, and commands that issue documents go on', async () => {
  const one = await join({ OPERATOR_APPROVAL_RUPEES: '1000' });
  await join({ OPERATOR_SEE_AS: 'no', BANK_TRANSFERS: 'yes', KEEP_REQUEST_LOG_DAYS: '365' });
  expect(await one.compare(world.portal.db)).toEqual({
    running: 2,
    differing: ['OPERATOR_APPROVAL_RUPEES', 'OPERATOR_SEE_AS', 'BANK_TRANSFERS', 'KEEP_REQUEST_LOG_DAYS'],
  });
  await expect(readSettingsOfPortal(world.portal.db, {})).resolves.toBeDefined();
});

test('the strictest limit of the running portals counts in each of them', async () => {
  const { db } = world.portal;
  expect(await strictestApprovalRupees(db, 0)).toBe(0);
  expect(await strictestApprovalRupees(db, 500)).toBe(500);
  const strict = await join({ OPERATOR_APPROVAL_RUPEES: '1000' });
  await join({ OPERATOR_APPROVAL_RUPEES: '0' });
  expect(await strictestApprovalRupees(db, 0)).toBe(1000);
  expect(await strictestApprovalRupees(db, 5000)).toBe(1000);
  await strict.stop();
  expect(await strictestApprovalRupees(db, 0)).toBe(0);
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
