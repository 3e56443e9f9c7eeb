import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { readCatalogFiles, SoundFiles } from '#catalog/catalog-files.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { activatePlan, listProducts } from '#shared/contract/marketplace.ts';
import { applyCatalog, listCatalogVersions, newestCatalogVersion } from '#shared/database/catalog-versions.ts';
import { createTestDatabase } from '#shared/database/test-database.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { type CurrentCatalog, followCatalog, recordFilesAtStart } from './current-catalog.ts';
import { startTestPortal, type TestPortal } from './test/portal.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-current-'));
const file = join(folder, 'tax-lookup-api.yaml');
const sample = readFileSync(projectFolder('ship', 'standins', 'catalog', 'tax-lookup-api.yaml'), 'utf8');
/** The sample with another name. */
const renamed = (name: string): string => stringify({ ...parse(sample), name });
const named = (name: string): void => writeFileSync(file, renamed(name));
afterAll(() => rmSync(folder, { recursive: true }));

const log = { info: () => {}, warn: () => {}, error: () => {} };

test('a start never changes what is on sale: the first takes the files, a later one warns of files that differ, and says in what', async () => {
  const database = await createTestDatabase();
  try {
    const { db } = database;
    let warnings: { changes: string[]; text: string }[] = [];
    const start = async () => {
      warnings = [];
      const warn = ({ changes }: { changes: string[] }, text: string) => void warnings.push({ changes, text });
      await recordFilesAtStart(db, folder, { warn });
      return newestCatalogVersion(db);
    };
    writeFileSync(file, 'id: [');
    await expect(start()).rejects.toThrow(/tax-lookup-api\.yaml:1/);
    // The fault is mended: nothing of it was stored.
    named('One');
    expect(await start()).toBe(1);
    expect(warnings).toEqual([]);
    writeFileSync(file, renamed('One').replace('price: 499', 'price: 5'));
    expect(await start()).toBe(1);
    expect(warnings).toMatchObject([{ changes: ['tax-lookup-api: plan starter: price ₹499 → ₹5'] }]);
    expect(warnings[0]?.text).toContain('differ from version 1, which stays on sale');
    expect(warnings[0]?.text).toContain('octroi catalog apply');
    await applyCatalog({ db, log }, await SoundFiles.in(folder), { author: 'test', reason: 'Cheaper' });
    expect([await start(), warnings]).toEqual([2, []]);
    // A portal of a new release has the files of another catalogue, or none that can be read.
    named('One');
    expect(await start()).toBe(2);
    expect(warnings[0]?.text).toContain('are those of version 1, not of version 2');
    writeFileSync(file, sample.replace('price: 0', 'price: nothing'));
    expect(await start()).toBe(2);
    expect(warnings[0]?.text).toContain('have faults');
    expect((await listCatalogVersions(db)).map(({ version, author }) => [version, author])).toEqual([
      [2, 'test'],
      [1, 'portal'],
    ]);
  } finally {
    await database.close();
  }
});

let portal: TestPortal;
let current: CurrentCatalog;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  await recordFilesAtStart(portal.portal.db, projectFolder('ship', 'standins', 'catalog'), log);
  current = await followCatalog(portal.portal.db, log);
  portal.portal.currentCatalog = current;
  Object.defineProperty(portal.portal, 'catalog', { get: () => current.catalog() });
});
afterAll(async () => {
  await current.stop();
  await portal.close();
});

const apply = async (change: (text: string) => string): Promise<void> => {
  const files = readCatalogFiles(projectFolder('ship', 'standins', 'catalog'));
  files.set('tax-lookup-api.yaml', Buffer.from(change(sample)));
  await applyCatalog(portal.portal, await SoundFiles.of(files), { author: 'test', reason: 'A test' });
};

test('a portal shows the new catalogue without a restart', async () => {
  const token = await portal.newCustomer();
  await apply(() => renamed('Renamed'));
  await expect
    .poll(async () => (await portal.ask(listProducts, {}, token)).map(({ name }) => name))
    .toContain('Renamed');
});

test('from the moment of a change nothing is sold by the catalogue before it, and what was sold stays as it was sold', async () => {
  const token = await portal.newCustomer();
  await apply((text) => text);
  const before = await portal.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'free' } }, token);
  const plans = async () => (await portal.ask(listActivations, {}, token)).activations[0]?.billingCycles ?? [];
  const [sold] = await plans();
  const next = {
    params: { activationId: before.activationId, planId: 'growth' },
    body: { startDate: addDays(dayOf(portal.portal.clock()), 60) },
  };
  for (let round = 0; round < 5; round += 1) {
    // No time for the portal to poll in between.
    await apply((text) => text.replace('id: growth', 'id: other').replace('dailyQuota: ', 'dailyQuota: 9'));
    expect((await portal.send(addCycle, next, token)).status).toBe(404);
    await apply((text) => text);
  }
  expect((await portal.send(addCycle, next, token)).status).toBe(200);
  expect((await plans()).find(({ id }) => id === sold?.id)).toEqual(sold);
});
