import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { notAnSez, type Profile, readAccount, updateProfile } from '#shared/contract/account.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { declareTaxClaim, readTaxClaim } from '#shared/contract/tax-claims.ts';
import { addDays } from '#shared/domain/day.ts';
import { gstinCheckCharacter } from '#shared/domain/gstin.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { createTaxpayerSearch } from '#server/e-invoice/taxpayer-search.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { newBuyer, sampleLetters } from '#server/features/documents/test-buyer.ts';
import { sampleLetter, sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { startGstn } from '#ship/standins/gstn/gstn.ts';

const folder = mkdtempSync(join(tmpdir(), 'gstn-sez-'));
let portal: TestPortal;
let gstn: Awaited<ReturnType<typeof startGstn>>;

const client = { clientId: 'local', clientSecret: 'local-secret' };

beforeAll(async () => {
  gstn = await startGstn({ port: 0, ...client, folder }, () => Date.now());
  portal = await startTestPortal({ jobs: false, env: { LETTERS_OF_UNDERTAKING: sampleLetters() } });
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(async () => {
  await portal.close();
  await gstn.close();
  rmSync(folder, { recursive: true, force: true });
});
/** Searches that were sent to the GST portal. */
let searches = 0;

/** Sets how the GST portal's search behaves: `{}` as usual. The portal soon gives up a slow one, and no other. */
async function behave({ search = 'ok' }: { search?: string }): Promise<void> {
  const timeoutMs = search === 'slow' ? 700 : 60_000;
  const { find } = createTaxpayerSearch({ url: gstn.url, ...client }, () => Date.now(), timeoutMs);
  portal.portal.taxpayers = {
    find: (gstin) => {
      searches += 1;
      return find(gstin);
    },
  };
  await fetch(`${gstn.url}/standin/behaviour`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ search }),
  });
}
beforeEach(() => behave({}));

const unit = { ...placeIn('27'), gstin: '27ZZZFA0003C2ZR', sez: true };
const developer = { ...placeIn('29'), gstin: '29ZZZCA0001A2ZZ', sez: true };
const regular = { ...placeIn('29'), gstin: '29ZZZCA0001A1Z0', sez: true };
const letter = { name: 'letter.pdf', letter: sampleLetter };
const checks = (gstin: string) =>
  portal.portal.db.selectFrom('sez_checks').selectAll().where('gstin', '=', gstin).orderBy('checked_at').execute();

test.each([
  ['a unit', unit, 'UNIT', 'SEZ Unit'],
  ['a developer', developer, 'DEVELOPER', 'SEZ Developer'],
])(
  '%s that the GST portal confirms needs no letter, and its answer is kept with time and hash',
  async (_, profile, outcome, type) => {
    const buyer = await newBuyer(portal, { ...profile, proves: false });
    const { checked, declared } = await portal.ask(readTaxClaim, {}, buyer.token);
    expect({ checked, declared }).toEqual({ checked: { on: buyer.today(), outcome, type }, declared: null });
    await buyer.buy(0);
    expect(await buyer.documents()).toMatchObject([{ total: 1499, igst: 0, taxableValue: 1499 }]);
    const [row] = await checks(profile.gstin);
    expect(row?.answer_sha256.equals(sha256(row.answer))).toBe(true);
    expect(JSON.parse(row?.answer ?? '')).toMatchObject({ gstin: profile.gstin, dty: type, sts: 'Active' });
    // It is relied on for 30 days, then the next payment asks again.
    await buyer.buy(40);
    expect(await checks(profile.gstin)).toHaveLength(1);
    portal.moveClock(31 * 86_400_000);
    await buyer.buy(60);
    expect(await checks(profile.gstin)).toHaveLength(2);
  },
);

test.each([
  ['a regular taxpayer', regular, 'OTHER'],
  ['a cancelled registration', { ...placeIn('07'), gstin: '07ZZZCA0001A1Z6', sez: true }, 'INACTIVE'],
  ['no registration', { ...placeIn('36'), gstin: '36ZZZCA0001A1Z5', sez: true }, 'UNKNOWN'],
])('a claim that the GST portal contradicts is not saved: %s', async (_, profile, outcome) => {
  const token = await portal.newCustomer(null);
  const { body } = await portal.send(updateProfile, { body: { ...sampleProfile, ...profile } }, token);
  expect(body).toMatchObject({
    status: 400,
    errors: [{ pointer: '/sez', message: expect.stringContaining('Remove the mark') }],
  });
  expect((await portal.ask(readAccount, {}, token)).profile).toBeNull();
  expect(await checks(profile.gstin)).toMatchObject([{ outcome }]);
  await portal.ask(updateProfile, { body: { ...sampleProfile, ...profile, sez: false } }, token);
});

test.each(['down', 'slow', 'unreadable', 'error-500'])(
  'while the GST portal is %s, the declaration decides; later its answer does, whatever the letter says',
  async (search) => {
    await behave({ search });
    const buyer = await newBuyer(portal, { ...regular, proves: false });
    await buyer.buy(0);
    expect(await portal.ask(readTaxClaim, {}, buyer.token)).toMatchObject({ checked: null, declared: null });
    await portal.ask(declareTaxClaim, { body: letter }, buyer.token);
    await buyer.buy(40);
    expect(await buyer.documents()).toMatchObject([{ igst: 228.66 }, { igst: 0, taxableValue: 1499 }]);

    await behave({});
    const body = { startDate: addDays(buyer.today(), 80) };
    const params = { activationId: buyer.activationId, planId: 'growth' };
    const { billingCycleId: id = '' } = await portal.ask(addCycle, { params, body }, buyer.token);
    const order = () => portal.send(createOrder, { params: { id } }, buyer.token);
    expect((await order()).body).toMatchObject({ status: 409, code: 'sez_not_confirmed' });
    expect((await portal.send(declareTaxClaim, { body: letter }, buyer.token)).body).toMatchObject({
      code: 'sez_not_confirmed',
    });
    expect(await portal.ask(readTaxClaim, {}, buyer.token)).toMatchObject({
      checked: { outcome: 'OTHER', type: 'Regular' },
    });
    // What it said last stands while it is down again.
    await behave({ search });
    expect((await order()).body).toMatchObject({ code: 'sez_not_confirmed' });
    await behave({});
    await portal.ask(updateProfile, { body: { ...sampleProfile, ...regular, sez: false } }, buyer.token);
    expect((await order()).status).toBe(200);
  },
);

test('operators see who claims what, read the letter, and ask the GST portal again, whose answer decides', async () => {
  await behave({ search: 'down' });
  const buyer = await newBuyer(portal, { ...regular, proves: false });
  await portal.ask(declareTaxClaim, { body: letter }, buyer.token);
  const { user } = await portal.ask(readAccount, {}, buyer.token);
  const customerId = user.id;
  const { db } = portal.portal;
  const cause = { actor: 'asha', reason: 'The letter looks odd' };
  const ask = () => actAsOperator(portal.portal, 'finance', 'checkSez', { customerId }, cause);
  const claims = async () => (await readAsOperator(portal.portal, 'read-only', 'listTaxClaims', { customerId })).claims;
  await expect(ask()).rejects.toThrow('gave no answer');
  const [claim] = await claims();
  expect(claim).toMatchObject({ kind: 'SEZ', about: regular.gstin, checked: null, isProven: true });
  const { claimId = '' } = claim?.declared ?? {};
  expect(await readAsOperator(portal.portal, 'finance', 'readClaimLetter', { claimId })).toMatchObject({
    name: 'letter.pdf',
    letter: sampleLetter,
  });
  await behave({});
  expect(await ask()).toMatchObject({ gstin: regular.gstin, before: null, outcome: 'OTHER', type: 'Regular' });
  expect(await claims()).toMatchObject([{ checked: { outcome: 'OTHER' }, isProven: false }]);
  const entries = db.selectFrom('operator_actions').select(['action', 'target']).where('customer_id', '=', customerId);
  expect(await entries.execute()).toEqual([{ action: 'sez.check', target: regular.gstin }]);
  // It counts as a search of the customer's day, of which there are ten.
  const tenMore = async () => {
    for (let search = 0; search < 10; search += 1) await ask();
  };
  await expect(tenMore()).rejects.toThrow('searches of today');
});

test('the GST portal is asked about a GSTIN once an hour while it does not confirm the claim', async () => {
  const token = await portal.newCustomer(null);
  const save = async () => (await portal.send(updateProfile, { body: { ...sampleProfile, ...regular } }, token)).body;
  const before = searches;
  for (let time = 0; time < 5; time += 1)
    expect(await save()).toMatchObject({ errors: [{ pointer: '/sez', message: notAnSez }] });
  expect(searches - before).toBe(1);
  portal.moveClock(59 * 60_000);
  await save();
  expect(searches - before).toBe(1);
  portal.moveClock(60_000);
  await save();
  expect(searches - before).toBe(2);
});

/** A profile that claims to be an SEZ with a GSTIN that the GST portal doesn't know. */
const profileOf = (number: number) => {
  const gstin = `29ZZZCA${number}A1Z`;
  return { ...sampleProfile, ...placeIn('29'), gstin: gstin + gstinCheckCharacter(gstin), sez: true };
};

test('a customer has ten searches a day, also at the same time and when they fail; what needs an eleventh is refused and nothing is lost', async () => {
  const { token, activationId, today } = await newBuyer(portal, { ...regular, sez: false });
  const params = { activationId, planId: 'growth' };
  const { billingCycleId: id = '' } = await portal.ask(addCycle, { params, body: { startDate: today() } }, token);
  const save = (body: Profile) => portal.send(updateProfile, { body }, token);
  const before = searches;
  await behave({ search: 'down' });
  // The GST portal can't be asked, so that the mark is saved.
  for (const number of [2000, 2001, 2002]) expect((await save(profileOf(number))).status).toBe(200);
  const kept = (await portal.ask(readAccount, {}, token)).profile;
  await behave({});
  const responses = await Promise.all(Array.from({ length: 20 }, (_, number) => save(profileOf(3000 + number))));
  const codes = responses.map(({ body }) => z.object({ code: z.string() }).parse(body).code);
  expect(codes.filter((code) => code === 'invalid_request')).toHaveLength(7);
  expect(codes.filter((code) => code === 'sez_checked_too_often')).toHaveLength(13);
  expect(searches - before).toBe(10);

  expect((await portal.ask(readAccount, {}, token)).profile).toEqual(kept);
  const refused = { status: 409, code: 'sez_checked_too_often' };
  expect((await portal.send(declareTaxClaim, { body: letter }, token)).body).toMatchObject(refused);
  const order = () => portal.send(createOrder, { params: { id } }, token);
  expect((await order()).body).toMatchObject(refused);
  expect(searches - before).toBe(10);
  // It costs no search to give the mark up, or to pay without it; the next day has searches again.
  expect((await save({ ...profileOf(2002), sez: false })).status).toBe(200);
  portal.moveClock(86_400_000);
  expect((await save(profileOf(2002))).body).toMatchObject({ errors: [{ pointer: '/sez' }] });
  expect(searches - before).toBe(11);
});

test('the database keeps each answer as it came, and no outcome that the answer does not show', async () => {
  const { db } = portal.portal;
  const [found] = await checks(unit.gstin);
  if (!found) throw new Error('no answer');
  const { id, ...row } = found;
  expect(id).toBeGreaterThan(0);
  await expect(db.deleteFrom('sez_checks').execute()).rejects.toThrow('sez_checks');
  const answer = JSON.stringify({ gstin: unit.gstin, dty: 'Regular' });
  const lie = { ...row, checked_at: new Date(), answer };
  await expect(db.insertInto('sez_checks').values(lie).execute()).rejects.toThrow('sez_checks_check');
  await expect(
    db
      .insertInto('sez_checks')
      .values({ ...lie, answer_sha256: sha256(answer) })
      .execute(),
  ).rejects.toThrow('sez_checks_check');
});
