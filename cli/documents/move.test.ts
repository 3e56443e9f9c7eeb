import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { startS3 } from '#ship/standins/s3/s3.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-cli-documents-'));
const account = { keyId: 'AKIAEXAMPLE', secret: 'a/secret+key', region: 'ap-south-1' };
let portal: TestPortal;
let store: Awaited<ReturnType<typeof startS3>>;
let pdf: Buffer;
let documentId: string;
const terminal = captureTerminal();

beforeAll(async () => {
  store = await startS3({ ...account, bucket: 'documents' });
  portal = await startTestPortal({ jobs: false });
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  documentId = (await buyer.documents())[0]?.id ?? '';
  pdf = await buyer.download(documentId);
});
afterAll(async () => {
  await portal.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
  vi.stubEnv('DOCUMENTS_S3_KEY_ID', account.keyId);
  vi.stubEnv('DOCUMENTS_S3_SECRET', account.secret);
  vi.stubEnv('DOCUMENTS_S3_REGION', account.region);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const placeOf = async () =>
  (await portal.portal.db.selectFrom('document_files').select('place').executeTakeFirstOrThrow()).place;

test('PDFs move from the database to a folder, on to a store and back, and the ledger holds at each', async () => {
  const place = join(folder, 'documents');
  mkdirSync(place);
  vi.stubEnv('DOCUMENTS_PLACE', place);
  expect(await run(['documents', 'move', '--dry-run', '--json'])).toBe(exitCodes.done);
  const elsewhere = [{ place: 'database', documents: 1, bytes: pdf.length }];
  expect(JSON.parse(terminal.out)).toEqual({ place, moved: 0, elsewhere });
  expect(await placeOf()).toBeNull();
  for (const target of [place, `${store.url}/octroi`, 'database']) {
    terminal.out = '';
    vi.stubEnv('DOCUMENTS_PLACE', target);
    expect(await run(['documents', 'move'])).toBe(exitCodes.done);
    expect(terminal.out).toContain(`1 PDFs (${(pdf.length / 1_000_000).toFixed(1)} MB) moved to ${target}.`);
    expect(await placeOf()).toBe(target === 'database' ? null : target);
    terminal.out = '';
    expect(await run(['verify-ledger'])).toBe(exitCodes.done);
    expect(terminal.out).toContain('The ledger is correct.');
    terminal.out = '';
    expect(await run(['documents', 'move', '--dry-run'])).toBe(exitCodes.done);
    expect(terminal.out).toContain(`Every PDF is in its place: ${target}.`);
  }
  expect(store.objects.size).toBe(1);
});

test('a place that is not there ends the command, and a missing file is named, by the command and by verify-ledger', async () => {
  vi.stubEnv('DOCUMENTS_PLACE', join(folder, 'gone'));
  expect(await run(['documents', 'move'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('ENOENT');
  const place = join(folder, 'emptied');
  mkdirSync(place);
  vi.stubEnv('DOCUMENTS_PLACE', place);
  expect(await run(['documents', 'move'])).toBe(exitCodes.done);
  for (const name of readdirSync(place)) rmSync(join(place, name), { recursive: true });
  terminal.out = '';
  expect(await run(['verify-ledger'])).toBe(exitCodes.faults);
  expect(terminal.out).toContain(`is missing from ${place}`);
  vi.stubEnv('DOCUMENTS_PLACE', 'database');
  terminal.out = '';
  expect(await run(['documents', 'move'])).toBe(exitCodes.faults);
  expect(terminal.out).toContain(`is missing from ${place}`);
  vi.stubEnv('DOCUMENTS_PLACE', './relative');
  expect(await run(['documents', 'move'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('DOCUMENTS_PLACE');
});
