import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#shared/database/test-database.ts';
import { createLog } from '#shared/platform/log.ts';
import { openDocumentFiles } from '#server/document-files/document-files.ts';
import { movePdfs } from '#server/document-files/move.ts';
import { settingsFor, startPlaces } from '#server/document-files/test-places.ts';
import { type Money, startMoney } from '#server/money-tests/test-money.ts';
import { printPapers } from '#server/money-tests/test-papers.ts';
import { readArchive } from './archive.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { nothingOutside } from './series-outside.ts';

const log = createLog('test', { level: 'silent' });
let money: Money;
let places: Awaited<ReturnType<typeof startPlaces>>;
let count = 0;

beforeAll(async () => {
  places = await startPlaces();
  money = await startMoney();
  await printPapers(money, 3);
});
afterAll(async () => {
  await money.close();
  await places.close();
});

/** Moves all PDFs to a place, and makes a backup. */
async function backUp(place: string): Promise<string> {
  count += 1;
  const documentFiles = openDocumentFiles(settingsFor(place), log);
  await movePdfs(money.portal.db, documentFiles);
  const path = join(places.root, `backup-${count}`);
  const { databaseUrl } = money.portal.settings;
  const source = { databaseUrl, journalDirs: [], folders: new Map(), documentFiles, settings: [], version: '1.2.3' };
  await createBackup(source, path, []);
  return path;
}

async function restore(path: string, place: string) {
  const database = await createTestDatabase('empty');
  count += 1;
  const target = join(places.root, `target-${count}`);
  const filesDir = join(target, 'files');
  try {
    return await restoreBackup(path, [], {
      databaseUrl: database.databaseUrl,
      journalDir: join(target, 'journal'),
      filesDir,
      documents: settingsFor(place === '' ? join(filesDir, 'documents') : place),
      outside: nothingOutside,
      now: money.portal.clock,
      log,
      say: () => undefined,
    });
  } finally {
    await database.close();
  }
}

const filesIn = (place: string): string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));

test('PDFs of a folder are in the backup, and a restore elsewhere is whole without the folder', async () => {
  const place = join(places.root, 'documents');
  mkdirSync(place);
  const path = await backUp(place);
  const manifest = await readArchive(path, []);
  expect(manifest.documents).toEqual({ included: 3, unreadable: [], elsewhere: {} });
  renameSync(place, `${place}-away`);
  const other = join(places.root, 'other-documents');
  mkdirSync(other);
  for (const target of ['', other, `${places.store.url}/restored`])
    expect((await restore(path, target)).faults).toEqual([]);
  expect(filesIn(other).toSorted()).toEqual(filesIn(`${place}-away`).toSorted());
  expect([...places.store.objects.keys()].filter((name) => name.endsWith('.pdf'))).toHaveLength(3);
  await expect(restore(path, join(places.root, 'missing'))).rejects.toThrow("can't be written to");
  renameSync(`${place}-away`, place);
});

test('a PDF that is missing is named in the backup, and a drill does not take it from the original', async () => {
  const place = join(places.root, 'damaged');
  mkdirSync(place);
  const whole = await backUp(place);
  const [name = ''] = filesIn(place);
  const path = join(place, name.slice(0, 2), name);
  renameSync(path, `${path}-away`);
  const documentFiles = openDocumentFiles(settingsFor(place), log);
  const { databaseUrl } = money.portal.settings;
  const source = { databaseUrl, journalDirs: [], folders: new Map(), documentFiles, settings: [], version: '1.2.3' };
  const lacking = join(places.root, 'lacking');
  const { documents } = await createBackup(source, lacking, []);
  expect(documents).toMatchObject({ included: 2, unreadable: [expect.stringMatching(/^OCT\//)] });
  // The original is whole again, but the backup is not.
  renameSync(`${path}-away`, path);
  const { faults } = await restore(lacking, '');
  expect(faults).toEqual([expect.stringContaining('is missing from')]);
  expect((await restore(whole, '')).faults).toEqual([]);
});

test('PDFs of a store stay there: the backup says how many, and a restore verifies them', async () => {
  const place = `${places.store.url}/live`;
  const path = await backUp(place);
  expect((await readArchive(path, [])).documents).toEqual({ included: 0, unreadable: [], elsewhere: { [place]: 3 } });
  expect((await restore(path, place)).faults).toEqual([]);
  expect((await restore(path, '')).faults).toEqual([]);
  const [name, object] = [...places.store.objects].find(([each]) => /^live\/.*\.pdf$/.test(each)) ?? [];
  if (name === undefined || object === undefined) throw new Error('nothing is in the store');
  places.store.objects.delete(name);
  expect((await restore(path, place)).faults).toEqual([expect.stringContaining('is missing from')]);
  places.store.objects.set(name, object);
});
