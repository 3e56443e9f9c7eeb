import { unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount, updateProfile } from '#shared/contract/account.ts';
import { readDataExport } from '#shared/contract/privacy.ts';
import { declareTaxClaim, readTaxClaim, readTaxLetter, withdrawTaxClaim } from '#shared/contract/tax-claims.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import { maxLetterBytes } from '#shared/domain/tax-claim.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { newId } from '#server/crypto/ids.ts';
import { newBuyer, sampleLetters } from '#server/features/documents/test-buyer.ts';
import { sampleLetter, sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false, env: { LETTERS_OF_UNDERTAKING: sampleLetters() } });
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

const sez = { gstin: '29ZZZCA0001A1Z0', sez: true };
const abroad = { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' };
const dayMs = 86_400_000;
const unproven = { proves: false };

test.each([
  ['an SEZ of another State', { ...sez, ...unproven }, { igst: 228.66 }],
  ['an SEZ of the same State', { ...sez, gstin: '27ZZZFA0003C2ZR', ...placeIn('27'), ...unproven }, { cgst: 114.33 }],
  ['a buyer abroad', { ...abroad, ...unproven }, { igst: 228.66 }],
])('without a declaration %s is charged tax like anyone else', async (_, profile, amounts) => {
  const buyer = await newBuyer(portal, profile);
  await buyer.buy(0);
  expect(await buyer.documents()).toMatchObject([{ kind: 'INVOICE', total: 1499, ...amounts }]);
});

test('a declaration with a letter is dated, shown only to its owner, and decides the tax until it is withdrawn', async () => {
  const buyer = await newBuyer(portal, { ...abroad, ...unproven });
  const { token } = buyer;
  const needed = { kind: 'EXPORT', about: 'SG' };
  expect(await portal.ask(readTaxClaim, {}, token)).toEqual({ needed, declared: null, checked: null });
  const body = { name: 'certificate of incorporation.pdf', letter: sampleLetter };
  const declared = { declaredOn: buyer.today(), name: body.name, type: 'application/pdf', bytes: expect.any(Number) };
  expect(await portal.ask(declareTaxClaim, { body }, token)).toEqual({ needed, declared, checked: null });
  await buyer.buy(0);
  expect(await buyer.documents()).toMatchObject([{ total: 1499, igst: 0, taxableValue: 1499 }]);
  const letter = { name: body.name, type: 'application/pdf', letter: sampleLetter };
  expect(await portal.ask(readTaxLetter, {}, token)).toEqual({ file: letter });
  const stranger = await portal.newCustomer({ ...sampleProfile, ...abroad });
  expect(await portal.ask(readTaxLetter, {}, stranger)).toEqual({ file: null });

  await portal.ask(withdrawTaxClaim, {}, token);
  expect(await portal.ask(readTaxClaim, {}, token)).toEqual({ needed, declared: null, checked: null });
  expect((await portal.send(withdrawTaxClaim, {}, token)).body).toMatchObject({ code: 'nothing_claimed' });
  await buyer.buy(40);
  expect((await buyer.documents())[1]).toMatchObject({ total: 1499, igst: 228.66 });
  // A declaration is about one country or GSTIN.
  await portal.ask(declareTaxClaim, { body }, token);
  await portal.ask(updateProfile, { body: { ...sampleProfile, ...abroad, country: 'AE' } }, token);
  expect(await portal.ask(readTaxClaim, {}, token)).toMatchObject({ needed: { about: 'AE' }, declared: null });
});

test('a letter has a safe name, and an export has every letter, also those stored under other names before', async () => {
  const token = await portal.newCustomer({ ...sampleProfile, ...abroad });
  const name = '..\u202e/fdp.exe';
  const { declared } = await portal.ask(declareTaxClaim, { body: { name, letter: sampleLetter } }, token);
  expect(declared?.name).toBe('-fdp.exe');
  await portal.ask(withdrawTaxClaim, {}, token);
  const { user } = await portal.ask(readAccount, {}, token);
  for (const stored of ['..', 'CON', '\u202efdp.exe']) {
    const row = JSON.stringify({ id: newId('CLM'), letter_name: stored });
    await sql`insert into tax_claims select (jsonb_populate_record(t, ${row}::jsonb)).* from tax_claims t
      where letter_name = '-fdp.exe' and customer_id = ${user.id}`.execute(portal.portal.db);
  }
  const { downloadUrl } = await portal.ask(readDataExport, {}, token);
  const files = unzipSync(new Uint8Array(await (await fetch(downloadUrl)).arrayBuffer()));
  const letters = Object.keys(files).filter((path) => path.startsWith('letters/'));
  expect(letters.toSorted()).toEqual(['letters/-fdp.exe', 'letters/_CON', 'letters/fdp.exe', 'letters/file']);
});

test('of declarations that are made simultaneously, the last one made is valid, and none fails', async () => {
  const token = await portal.newCustomer({ ...sampleProfile, ...abroad });
  const names = ['one.pdf', 'two.pdf', 'three.pdf', 'four.pdf'];
  const responses = await Promise.all(
    names.map((name) => portal.send(declareTaxClaim, { body: { name, letter: sampleLetter } }, token)),
  );
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { declared } = await portal.ask(readTaxClaim, {}, token);
  expect(names).toContain(declared?.name);
});

test('a withdrawal that is made while a declaration is under way follows it, and withdraws it', async () => {
  const token = await portal.newCustomer({ ...sampleProfile, ...abroad });
  const body = { name: 'letter.pdf', letter: sampleLetter };
  await portal.ask(declareTaxClaim, { body }, token);
  const { db } = portal.portal;
  const waiting = (count: number) => expect.poll(() => countWaiting(db)).toBe(count);
  const both = await transaction(db, async (tx) => {
    await tx.selectFrom('customers').select('id').forUpdate().execute();
    const declared = portal.send(declareTaxClaim, { body }, token);
    await waiting(1);
    const withdrawn = portal.send(withdrawTaxClaim, {}, token);
    await waiting(2);
    return [declared, withdrawn];
  });
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await portal.ask(readTaxClaim, {}, token)).toMatchObject({ declared: null });
});

const pdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(size - 8, 32)]);

test('a letter is refused when it is no PDF, JPEG or PNG, too large, or nothing is claimed', async () => {
  const token = await portal.newCustomer({ ...sampleProfile, ...sez });
  const send = (name: string, bytes: Buffer, as = token) =>
    portal.send(declareTaxClaim, { body: { name, letter: bytes.toString('base64') } }, as);
  expect((await send('letter.pdf', Buffer.from('<html>'))).body).toMatchObject({
    status: 422,
    code: 'letter_unreadable',
  });
  expect((await send('letter.pdf', pdf(maxLetterBytes))).status).toBe(200);
  expect((await send('letter.pdf', pdf(maxLetterBytes + 3))).status).toBe(400);
  expect((await send('letter.pdf', pdf(maxLetterBytes * 2))).status).toBeGreaterThanOrEqual(400);
  const consumer = await portal.newCustomer();
  expect((await send('letter.pdf', pdf(20), consumer)).body).toMatchObject({ status: 409, code: 'nothing_claimed' });
});

test('the database keeps declarations as they were made, with letters of the stored hash', async () => {
  const token = await portal.newCustomer({ ...sampleProfile, ...sez });
  await portal.ask(declareTaxClaim, { body: { name: 'approval.pdf', letter: sampleLetter } }, token);
  const { db } = portal.portal;
  await expect(db.deleteFrom('tax_claims').execute()).rejects.toThrow('tax_claims');
  const changed = [{ about: 'X' }, { letter: Buffer.from('%PDF-other') }, { declared_on: '2020-01-01' }];
  for (const change of changed) {
    await expect(db.updateTable('tax_claims').set(change).execute()).rejects.toThrow('can only be withdrawn');
  }
});

test('a customer can upload 5 letters in 30 days and 10 in a year, whatever they are about; portal and database refuse more', async () => {
  const { db } = portal.portal;
  const token = await portal.newCustomer({ ...sampleProfile, ...abroad });
  const customer = (await portal.ask(readAccount, {}, token)).user.id;
  const letters = () => db.selectFrom('tax_claims').selectAll().where('customer_id', '=', customer).execute();
  const send = async (count: number) => {
    const body = { name: 'letter.pdf', letter: sampleLetter };
    const responses = await Promise.all(
      Array.from({ length: count }, () => portal.send(declareTaxClaim, { body }, token)),
    );
    const refused = responses.filter(({ status }) => status !== 200).map((response) => response.body);
    expect(refused).toEqual(refused.map(() => expect.objectContaining({ status: 409, code: 'too_many_letters' })));
    return count - refused.length;
  };
  expect(await send(2)).toBe(2);
  await portal.ask(withdrawTaxClaim, {}, token);
  await portal.ask(updateProfile, { body: { ...sampleProfile, ...abroad, country: 'AE' } }, token);
  expect(await send(4)).toBe(3);
  const { declared } = await portal.ask(readTaxClaim, {}, token);
  expect(declared).not.toBeNull();
  const [stored] = await letters();
  if (!stored) throw new Error('no letter');
  const another = (to: Db | Tx = db) => {
    const now = portal.portal.clock();
    const row = {
      ...stored,
      id: newId('CLM'),
      declared_on: dayOf(now),
      declared_at: new Date(now),
      withdrawn_at: new Date(now),
    };
    return to.insertInto('tax_claims').values(row).execute();
  };
  await expect(another()).rejects.toThrow('too many letters');

  portal.moveClock(30 * dayMs);
  for (let letter = 0; letter < 4; letter += 1) await another();
  const sixth = await transaction(db, async (tx) => {
    await another(tx);
    const inserted = another().catch((error: unknown) => error);
    await expect.poll(() => countWaiting(db)).toBe(1);
    return { inserted };
  });
  expect(String(await sixth.inserted)).toContain('too many letters');
  expect(await send(1)).toBe(0);
  portal.moveClock(30 * dayMs);
  expect(await send(1)).toBe(0);
  expect(await letters()).toHaveLength(10);
  await expect(another()).rejects.toThrow('too many letters');
  portal.moveClock(306 * dayMs);
  expect(await send(1)).toBe(1);
});
