import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#shared/platform/log.ts';
import { openDocumentFiles } from '#server/document-files/document-files.ts';
import { movePdfs } from '#server/document-files/move.ts';
import { readDocumentPlaceSettings } from '#server/document-files/settings.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { startS3 } from '#ship/standins/s3/s3.ts';
import { examineOnly, problem } from './test-installation.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-doctor-documents-'));
const place = join(folder, 'documents');
let portal: TestPortal;
let env: Record<string, string>;

beforeAll(async () => {
  mkdirSync(place);
  portal = await startTestPortal({ jobs: false });
  env = { DATABASE_URL: portal.portal.settings.databaseUrl };
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  await buyer.download((await buyer.documents())[0]?.id ?? '');
});
afterAll(async () => {
  await portal.close();
  rmSync(folder, { recursive: true, force: true });
});

const look = (more: Record<string, string> = {}) => examineOnly('documents-place', { ...env, ...more });

test('names PDFs that are not where DOCUMENTS_PLACE says, a folder that is missing, and one that is not shared', async () => {
  expect(await look()).toMatchObject([{ level: 'ok', found: 'PDFs of documents are in the database.' }]);
  const set = { DOCUMENTS_PLACE: place };
  expect(await look(set)).toContainEqual(problem('1 PDFs are in database', 'octroi documents move', 'warning'));
  const log = createLog('test', { level: 'silent' });
  await movePdfs(portal.portal.db, openDocumentFiles(readDocumentPlaceSettings({ env: set }), log));
  expect(await look(set)).toMatchObject([{ level: 'ok', found: `PDFs lie in ${place}.` }]);
  renameSync(place, `${place}-elsewhere`);
  const gone = await look(set);
  expect(gone).toContainEqual(problem(`PDFs cannot be written to ${place}`, 'Create or mount the folder'));
  expect(gone).toContainEqual(problem('1 of the newest 1 PDFs', 'mount one shared folder'));
  // A folder of this machine alone: it can be written to, and lacks the PDFs of the other portal.
  mkdirSync(place);
  expect(await look(set)).toEqual([problem('1 of the newest 1 PDFs', 'mount one shared folder')]);
  rmSync(place, { recursive: true });
  renameSync(`${place}-elsewhere`, place);
  expect(await look(set)).toMatchObject([{ level: 'ok' }]);
});

test('names a store that refuses, and says nothing of one that works', async () => {
  const account = { keyId: 'AKIAEXAMPLE', secret: 'a/secret+key', region: 'ap-south-1' };
  const store = await startS3({ ...account, bucket: 'documents' });
  const set = {
    DOCUMENTS_PLACE: store.url,
    DOCUMENTS_S3_KEY_ID: account.keyId,
    DOCUMENTS_S3_SECRET: account.secret,
    DOCUMENTS_S3_REGION: account.region,
  };
  try {
    expect(await look(set)).toMatchObject([{ level: 'warning' }]);
    expect(await look({ ...set, DOCUMENTS_S3_SECRET: 'other' })).toContainEqual(
      problem('SignatureDoesNotMatch', 'DOCUMENTS_S3_'),
    );
    expect(await look({ ...set, DOCUMENTS_PLACE: store.url.replace('/documents', '/gone') })).toContainEqual(
      problem('NoSuchBucket', 'DOCUMENTS_S3_'),
    );
  } finally {
    await store.close();
  }
});
