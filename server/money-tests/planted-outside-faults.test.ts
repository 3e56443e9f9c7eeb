import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDocumentFiles } from '#server/document-files/document-files.ts';
import { movePdfs } from '#server/document-files/move.ts';
import { readDocumentPlaceSettings } from '#server/document-files/settings.ts';
import { faultsOfCustomers } from '#server/features/ledger/changed-customers.ts';
import { readLedgerHealth, verifyLedger, verifyWholeLedger } from '#server/features/ledger/ledger.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { type Money, startMoney } from './test-money.ts';
import { printPapers } from './test-papers.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-planted-'));
const place = join(folder, 'documents');
let money: Money;

beforeAll(async () => {
  mkdirSync(place);
  money = await startMoney();
  const { portal } = money;
  const settings = readDocumentPlaceSettings({ env: { DOCUMENTS_PLACE: place } });
  Object.assign(portal, { documentFiles: openDocumentFiles(settings, portal.log) });
  await printPapers(money, 3);
  await money.work();
});
afterAll(async () => {
  await money.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The files of the place, by path. */
const papers = (): string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

/** Runs with a file changed, and puts it back. */
async function withFile(change: (path: string, others: string[]) => void, look: () => Promise<void>): Promise<void> {
  const [path = '', ...others] = papers();
  const content = readFileSync(path);
  change(path, others);
  try {
    await look();
  } finally {
    writeFileSync(path, content);
  }
}

const faults = async (): Promise<string[]> =>
  (await verifyLedgerOf(money.portal.db, { files: money.portal.documentFiles })).faults;

test('PDFs outside the database are verified, and nothing is wrong with them', async () => {
  expect(papers()).toHaveLength(3);
  expect(await faults()).toEqual([]);
});

test.each([
  ['is deleted', (path: string) => rmSync(path), /is missing from/],
  [
    'has one other byte',
    (path: string) => {
      const content = readFileSync(path);
      content[900] = 255 - (content[900] ?? 0);
      writeFileSync(path, content);
    },
    /was altered/,
  ],
  ['is cut off', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 900)), /was altered/],
  ['is empty', (path: string) => writeFileSync(path, ''), /was altered/],
  [
    'is that of another document',
    (path: string, [other = '']: string[]) => writeFileSync(path, readFileSync(other)),
    /was altered/,
  ],
])('the verification reports when a PDF outside the database %s', async (_, change, says) => {
  await withFile(change, async () => {
    const found = await faults();
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^a PDF never changes: that of OCT\/\d\d-\d\d\/\d{6} /);
    expect(found[0]).toMatch(says);
  });
  expect(await faults()).toEqual([]);
});

test('the portal’s check of a night reports it, the health report alarms, and the alarm ends when the file is back', async () => {
  const { portal } = money;
  await verifyLedger(portal);
  await withFile(
    (path) => rmSync(path),
    async () => {
      await verifyWholeLedger(portal);
      expect(await readLedgerHealth(portal)).toMatchObject({ ok: false, holds: false });
    },
  );
  await verifyWholeLedger(portal);
  expect(await readLedgerHealth(portal)).toMatchObject({ ok: true, holds: true });
});

test('a whole place that is away is reported as not verified, by an alarm that does not speak of money', async () => {
  const settings = readDocumentPlaceSettings({ env: {} });
  const { db, log } = money.portal;
  const nowhere = openDocumentFiles({ ...settings, documentsPlace: join(folder, 'gone') }, log, { onlyStores: true });
  const { faults: found, unread } = await verifyLedgerOf(db, { files: nowhere });
  expect([found.length, unread]).toEqual([3, 3]);
  expect(found[0]).toMatch(/^a PDF was not verified: .* can't be read/);
  const alarm = vi.spyOn(log, 'error');
  const away = { ...money.portal, documentFiles: nowhere };
  await verifyWholeLedger(away);
  expect(alarm.mock.calls).toEqual([[expect.anything(), expect.stringContaining('PDFS COULD NOT BE VERIFIED')]]);
  alarm.mockRestore();
  expect(await readLedgerHealth(away)).toMatchObject({ ok: false, holds: true });
  await verifyWholeLedger(money.portal);
  expect(await readLedgerHealth(money.portal)).toMatchObject({ ok: true, holds: true });
});

test('a verification that was not told how to read them says so', async () => {
  const { faults: found } = await verifyLedgerOf(money.portal.db);
  expect(found).toEqual([expect.stringContaining('not verified')]);
});

test('a PDF that lies nowhere or in two places is reported, although the constraint is gone', async () => {
  const { db } = money.portal;
  const customers = (await db.selectFrom('customers').select('id').execute()).map(({ id }) => id);
  for (const set of ['place = null, bytes = null', `pdf = 'x'`]) {
    const tx = await money.owner.db.startTransaction().execute();
    try {
      await sql`alter table document_files drop constraint document_files_one_place, drop constraint document_files_check`.execute(
        tx,
      );
      await sql`update document_files set ${sql.raw(set)}`.execute(tx);
      const found = await faultsOfCustomers(tx, customers, 100);
      expect(found.filter((fault) => fault.includes('lies nowhere, or in two places'))).toHaveLength(3);
    } finally {
      await tx.rollback().execute();
    }
  }
});

test('a PDF whose file was altered stays where it is when the others move, and is named', async () => {
  const { db, log } = money.portal;
  const back = openDocumentFiles(readDocumentPlaceSettings({ env: {} }), log);
  await withFile(
    (path) => writeFileSync(path, 'other'),
    async () => {
      const { moved, failed } = await movePdfs(db, back);
      expect([moved, failed.length]).toEqual([2, 1]);
      expect(failed[0]?.reason).toContain('was altered');
    },
  );
  expect((await movePdfs(db, back)).moved).toBe(1);
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
});
