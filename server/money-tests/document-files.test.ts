import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDocument } from '#shared/contract/documents.ts';
import { createLog } from '#shared/platform/log.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { readDocuments } from '#server/features/mail/attachments.ts';
import { exportCustomer } from '#server/features/privacy/privacy.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { nameOf } from '#server/document-files/document-place.ts';
import { openDocumentFiles, storedPdfColumns } from '#server/document-files/document-files.ts';
import { documentFilesFor } from '#server/document-files/health.ts';
import { countElsewhere, movePdfs } from '#server/document-files/move.ts';
import { settingsFor, startPlaces } from '#server/document-files/test-places.ts';

const log = createLog('test', { level: 'silent' });
const hashOf = (pdf: Buffer): string => createHash('sha256').update(pdf).digest('hex');
let places: Awaited<ReturnType<typeof startPlaces>>;
let portal: TestPortal;

beforeAll(async () => {
  places = await startPlaces();
  portal = await startTestPortal({ jobs: false });
});
afterAll(async () => {
  await portal.close();
  await places.close();
});

/** The portal, with the place of its PDFs changed. */
function portalWith(place: string) {
  let now = 0;
  const around = { db: portal.portal.db, log, now: () => now };
  Object.assign(portal.portal, documentFilesFor(settingsFor(place), around));
  return { aMinutePasses: () => void (now += 60_000) };
}

/** An issued invoice with its PDF. */
async function newInvoice() {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  if (invoice === undefined) throw new Error('no invoice');
  const pdf = await buyer.download(invoice.id);
  return { buyer, invoice, pdf, hash: hashOf(pdf) };
}

const healthOfFiles = () => portal.portal.documentFilesHealth();

const rowOf = (documentId: string) =>
  portal.portal.db
    .selectFrom('document_files')
    .select(storedPdfColumns)
    .where('document_id', '=', documentId)
    .executeTakeFirstOrThrow();

describe.each(['folder', 'store'] as const)('in a %s', (kind) => {
  const open = () => places.open[kind]();

  test('a PDF lies there and not in the database; downloads, mails and exports have the same bytes', async () => {
    const place = open();
    portalWith(place.address);
    const { buyer, invoice, pdf, hash } = await newInvoice();
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(place.read(nameOf(hash)).equals(pdf)).toBe(true);
    const { pdf_sha256: kept, ...row } = await rowOf(invoice.id);
    expect(row).toEqual({ pdf: null, place: place.address, bytes: pdf.length });
    expect(kept.toString('hex')).toBe(hash);
    expect((await buyer.download(invoice.id)).equals(pdf)).toBe(true);
    const mail = { id: 'MSG-NONE', document_id: invoice.id, created_at: new Date() };
    const [attached] = await readDocuments(portal.portal, mail);
    expect(attached?.content.equals(pdf)).toBe(true);
    const { customer_id: customerId } = await portal.portal.db
      .selectFrom('documents')
      .select('customer_id')
      .where('id', '=', invoice.id)
      .executeTakeFirstOrThrow();
    const zip = Buffer.concat(await (await exportCustomer(portal.portal, { customerId })).toArray());
    const exported = unzipSync(new Uint8Array(zip));
    expect(Buffer.from(exported[`documents/${invoice.id}.pdf`] ?? []).equals(pdf)).toBe(true);
    expect(Buffer.from(exported['data/documents/document_files.json'] ?? []).toString()).not.toContain(place.address);
  });

  test('a missing or altered file gives 503 and an alarm, which ends when the file is back', async () => {
    const place = open();
    const { aMinutePasses } = portalWith(place.address);
    const { buyer, invoice, pdf, hash } = await newInvoice();
    expect(await healthOfFiles()).toEqual({ ok: true, place: kind, unreadable: 0 });
    const altered = Buffer.from(pdf);
    altered[900] = 255 - (altered[900] ?? 0);
    for (const damage of [
      () => place.remove(nameOf(hash)),
      () => place.write(nameOf(hash), altered),
      () => place.write(nameOf(hash), pdf.subarray(0, 100)),
    ]) {
      damage();
      const { status, body } = await portal.send(
        readDocument,
        { params: { documentId: invoice.id }, query: { version: 'current' } },
        buyer.token,
      );
      expect([status, body]).toMatchObject([503, { code: 'document_unavailable' }]);
      aMinutePasses();
      expect(await healthOfFiles()).toEqual({ ok: false, place: kind, unreadable: 1 });
      place.write(nameOf(hash), pdf);
      aMinutePasses();
      expect(await healthOfFiles()).toEqual({ ok: true, place: kind, unreadable: 0 });
      expect((await buyer.download(invoice.id)).equals(pdf)).toBe(true);
    }
  });

  test('PDFs move there and back, byte for byte; an interrupted move goes on where it was', async () => {
    portalWith('database');
    const invoices = [await newInvoice(), await newInvoice(), await newInvoice()];
    const place = open();
    const { db } = portal.portal;
    const files = openDocumentFiles(settingsFor(place.address), log);
    let left = 2;
    const failing = {
      ...files,
      open: (address: string) => ({
        ...files.open(address),
        put: async (hash: string, pdf: Buffer) => {
          left -= 1;
          if (left < 0) throw new Error('interrupted');
          await files.open(address).put(hash, pdf);
        },
      }),
    };
    await expect(movePdfs(db, failing)).rejects.toThrow('interrupted');
    // Whoever downloads is in the log of the customer.
    const seals = () => db.selectFrom('record_seals').select('id').where('kind', '<>', 'member_actions').execute();
    const sealed = await seals();
    const { failed } = await movePdfs(db, files);
    expect(failed).toEqual([]);
    expect(await countElsewhere(db, place.address)).toEqual([]);
    for (const { invoice, buyer, pdf } of invoices) {
      expect(await rowOf(invoice.id)).toMatchObject({ pdf: null, place: place.address, bytes: pdf.length });
      expect((await buyer.download(invoice.id)).equals(pdf)).toBe(true);
    }
    expect(await movePdfs(db, files)).toEqual({ moved: 0, bytes: 0, failed: [] });
    const back = openDocumentFiles(settingsFor('database'), log);
    expect((await movePdfs(db, back)).moved).toBeGreaterThanOrEqual(3);
    for (const { invoice, pdf, hash } of invoices) {
      const row = await rowOf(invoice.id);
      expect([row.pdf?.equals(pdf), row.place, row.bytes]).toEqual([true, null, null]);
      // Backups from before may need it.
      expect(place.read(nameOf(hash)).equals(pdf)).toBe(true);
    }
    // A move changes no content, so it needs no seal.
    expect(await seals()).toEqual(sealed);
  });

  test('a move goes on past a damaged file in its way, and names the document', async () => {
    portalWith('database');
    const [blocked, free] = [await newInvoice(), await newInvoice()];
    const place = open();
    const files = openDocumentFiles(settingsFor(place.address), log);
    await files.open(place.address).put(blocked.hash, blocked.pdf);
    place.write(nameOf(blocked.hash), Buffer.from('damaged'));
    expect((await movePdfs(portal.portal.db, files)).failed).toMatchObject([{ number: blocked.invoice.number }]);
    const [left, moved] = [await rowOf(blocked.invoice.id), await rowOf(free.invoice.id)];
    expect([left.pdf?.equals(blocked.pdf), moved.place]).toEqual([true, place.address]);
    place.remove(nameOf(blocked.hash));
    expect((await movePdfs(portal.portal.db, files)).failed).toEqual([]);
  });
});

test('a move goes on past a PDF that can’t be read, but not when its whole place is away', async () => {
  const before = places.newFolder();
  portalWith(before);
  const [broken, whole] = [await newInvoice(), await newInvoice()];
  const path = join(before, nameOf(broken.hash));
  renameSync(path, `${path}-away`);
  mkdirSync(path);
  const files = openDocumentFiles(settingsFor(places.newFolder()), log);
  expect((await movePdfs(portal.portal.db, files)).failed).toMatchObject([{ number: broken.invoice.number }]);
  expect((await rowOf(whole.invoice.id)).place).toBe(files.place);
  renameSync(before, `${before}-away`);
  await expect(movePdfs(portal.portal.db, files)).rejects.toThrow("can't be read from");
  renameSync(`${before}-away`, before);
  rmdirSync(path);
  renameSync(`${path}-away`, path);
  expect((await movePdfs(portal.portal.db, files)).failed).toEqual([]);
});

test('while a place is away new PDFs go to the database, the health report alarms, and a move brings them there', async () => {
  const gone = join(places.root, 'not-mounted');
  const { aMinutePasses } = portalWith(gone);
  const { invoice, pdf } = await newInvoice();
  expect((await rowOf(invoice.id)).pdf?.equals(pdf)).toBe(true);
  expect(await portal.portal.documentFilesHealth()).toMatchObject({ ok: false, place: 'folder' });
  mkdirSync(gone);
  aMinutePasses();
  expect(await portal.portal.documentFilesHealth()).toMatchObject({ ok: true });
  await movePdfs(portal.portal.db, portal.portal.documentFiles);
  expect(await rowOf(invoice.id)).toMatchObject({ pdf: null, place: gone });
  // Only whole files: no unfinished ones, and no probes.
  const names = readdirSync(gone, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(names.every(({ name }) => /^[0-9a-f]{64}\.pdf$/.test(name))).toBe(true);
});

test('the health report writes to a store when it begins and after a failure, since stores with versions keep every write', async () => {
  const { store } = places;
  const { aMinutePasses } = portalWith(`${store.url}/watched`);
  const { invoice } = await newInvoice();
  const probedAt = () => store.objects.get('watched/octroi-probe.txt')?.at;
  expect(await healthOfFiles()).toMatchObject({ ok: true });
  const first = probedAt();
  expect(first).toBeDefined();
  aMinutePasses();
  expect(await healthOfFiles()).toMatchObject({ ok: true });
  expect(probedAt()).toBe(first);
  store.objects.delete('watched/octroi-probe.txt');
  // The only write of this document fails, with its retries.
  store.failNext(5);
  const failing = await newInvoice();
  expect((await rowOf(failing.invoice.id)).place).toBeNull();
  aMinutePasses();
  expect(await healthOfFiles()).toMatchObject({ ok: true });
  expect(probedAt()).toBeDefined();
  // The store is away, and only read.
  aMinutePasses();
  store.failNext(50);
  expect(await healthOfFiles()).toMatchObject({ ok: false });
  store.failNext(0);
  expect((await rowOf(invoice.id)).place).toBe(`${store.url}/watched`);
});

test('a folder with another path is found by the setting, and a move corrects the rows', async () => {
  const before = places.newFolder();
  portalWith(before);
  const { buyer, invoice, pdf } = await newInvoice();
  const after = join(places.root, 'renamed');
  renameSync(before, after);
  portalWith(after);
  expect((await buyer.download(invoice.id)).equals(pdf)).toBe(true);
  await movePdfs(portal.portal.db, portal.portal.documentFiles);
  expect((await rowOf(invoice.id)).place).toBe(after);
});

test('a portal that does not share the folder of the other one notices it', async () => {
  const shared = places.newFolder();
  portalWith(shared);
  await newInvoice();
  const { db } = portal.portal;
  const elsewhere = documentFilesFor(settingsFor(places.newFolder()), { db, log, now: Date.now });
  renameSync(shared, `${shared}-of-another-machine`);
  try {
    expect(await elsewhere.documentFilesHealth()).toEqual({ ok: false, place: 'folder', unreadable: 1 });
  } finally {
    renameSync(`${shared}-of-another-machine`, shared);
  }
});

test('the database refuses a document file that lies nowhere or in two places, and a change of its hash', async () => {
  portalWith('database');
  const { invoice } = await newInvoice();
  const { db } = portal.owner;
  const update = (set: string) =>
    sql`update document_files set ${sql.raw(set)} where document_id = ${invoice.id}`.execute(db);
  await expect(update('pdf = null')).rejects.toThrow('document_files_one_place');
  await expect(update(`pdf = null, place = '/srv'`)).rejects.toThrow('document_files_one_place');
  await expect(update(`place = '/srv', bytes = 5`)).rejects.toThrow('document_files_one_place');
  await expect(update(`pdf = null, place = '', bytes = 5`)).rejects.toThrow('document_files_place_check');
  await expect(update(`pdf = 'other'`)).rejects.toThrow('document_files_check');
  await expect(update(`pdf_sha256 = sha256('other')`)).rejects.toThrow('never changed');
  await expect(update(`made_at = now()`)).rejects.toThrow('never changed');
  await expect(sql`delete from document_files`.execute(db)).rejects.toThrow('never changed');
});
