import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { readAccount } from '#shared/contract/account.ts';
import { openClient } from '#shared/database/clients.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { addDays } from '#shared/domain/day.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let world: TestPortal;
let operators: TestOperators;
const people = ['asha', 'meena', 'imran'] as const;
let session: Record<(typeof people)[number], string>;
beforeAll(async () => {
  const catalogDir = changedCatalog({ 'invoicing-system': { onDeactivate: 'refund-unused' } });
  world = await startTestPortal({ jobs: false, catalogDir, env: { OPERATOR_APPROVAL_RUPEES: '1000' } });
  await world.behave({ webhooks: { enabled: false } });
  operators = testOperators(world);
  const signedIn = async (name: (typeof people)[number]) => {
    const token = await operators.signedIn(`${name}@kaveri.example`, 'owner');
    await operators.prove(`${name}@kaveri.example`);
    return token;
  };
  session = { asha: await signedIn('asha'), meena: await signedIn('meena'), imran: await signedIn('imran') };
});
afterAll(() => world.close());

/** A customer who paid ₹1,499 for a plan. */
async function newPayment(): Promise<string> {
  const buyer = await newBuyer(world);
  const cycleId = await buyer.buy(0);
  const { provider_payment_id: paymentId } = await world.portal.db
    .selectFrom('cycle_payments')
    .select('provider_payment_id')
    .where('cycle_id', '=', cycleId)
    .executeTakeFirstOrThrow();
  return paymentId;
}

const refund = (token: string, of: string, amount: number | undefined, more = {}) =>
  operators.act(token, 'refundPayment', amount === undefined ? { of } : { of, amount }, more);
const refunds = async (paymentId: string) =>
  (
    await world.portal.db
      .selectFrom('refunds')
      .select('amount_paise')
      .where('payment_id', '=', paymentId)
      .orderBy('amount_paise')
      .execute()
  ).map(({ amount_paise: paise }) => paise);
const waitingId = ({ status, body }: { status: number; body: unknown }): string => {
  expect(status).toBe(200);
  expect(body).toEqual({ waitsForApproval: expect.stringMatching(/^APR-/) });
  return String(Object(body).waitsForApproval);
};
/** Of a customer whose plan refunds unused days. */
async function erasure() {
  const buyer = await newBuyer(world);
  await buyer.buy(0);
  const { id: customerId } = (await world.ask(readAccount, {}, buyer.token)).user;
  return { customerId, endPlans: true, withinYear: true };
}
const decide = (token: string, name: 'approve' | 'decline', approvalId: string) =>
  operators.act(token, name, { approvalId });

test('up to the limit one person refunds alone; above it nothing is done until another one approves, once', async () => {
  const paymentId = await newPayment();
  expect(await refund(session.asha, paymentId, 400, { reason: 'A first part' })).toMatchObject({
    status: 200,
    body: { amount: 400 },
  });
  const approvalId = waitingId(await refund(session.asha, paymentId, 700, { reason: 'A second part' }));
  expect(await refunds(paymentId)).toEqual([40_000]);
  expect(await operators.read(session.meena, 'listApprovals', { state: 'WAITING' })).toMatchObject({
    body: { approvals: [{ id: approvalId, call: 'refundPayment', amount: 700, requestedBy: 'asha@kaveri.example' }] },
  });
  const own = await decide(session.asha, 'approve', approvalId);
  expect(own).toMatchObject({ status: 409, body: { message: /You asked for this yourself/ } });
  const preview = await operators.preview(session.meena, 'approve', { approvalId });
  expect(preview).toMatchObject({ status: 200, body: { state: 'WAITING', result: { amount: 700 } } });
  const decided = await Promise.all(
    [session.meena, session.imran, session.meena].map((token) =>
      operators.act(token, 'approve', { approvalId }, { reason: 'Looked at the bank' }),
    ),
  );
  expect(decided.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409']);
  expect(await refunds(paymentId)).toEqual([40_000, 70_000]);
  const { actions } = Object((await operators.read(session.meena, 'listActions', { limit: 2 })).body);
  const actor = expect.stringMatching(/^asha@kaveri.example, approved by \w+@kaveri.example$/);
  expect(actions).toMatchObject([
    {
      action: 'approvals.approve',
      target: approvalId,
      reason: 'Looked at the bank',
      actor: expect.stringMatching(/^\w+@kaveri/),
    },
    { action: 'payments.refund', reason: 'A second part', actor },
  ]);
  expect((await verifyLedgerOf(world.portal.db)).faults).toEqual([]);
});

test('one person corrects the buyer of an invoice when nothing is given back', async () => {
  const buyer = await newBuyer(world);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  const { id: customerId } = (await world.ask(readAccount, {}, buyer.token)).user;
  await operators.act(session.asha, 'changeDetails', { customerId, legalName: 'Another Name' });
  const corrected = await operators.act(session.asha, 'correctInvoice', { number: invoice?.number ?? '' });
  expect(corrected).toMatchObject({ status: 200, body: { refunded: 0 } });
});

test('what a program asked for is not done once its token is revoked', async () => {
  const made = await operators.act(session.asha, 'createToken', { name: 'CRM', scopes: ['refundPayment'], days: 1 });
  const { token, id: tokenId } = Object(made.body);
  const approvalId = waitingId(await refund(String(token), await newPayment(), 1100));
  await operators.act(session.asha, 'revokeToken', { tokenId });
  expect(await decide(session.meena, 'approve', approvalId)).toMatchObject({
    status: 409,
    body: { message: 'The token that asked for this is revoked. Decline it.' },
  });
});

test('what waits counts towards the limit, parts of a customer are added up, and each customer has a limit of its own', async () => {
  const [paymentId, other] = [await newPayment(), await newPayment()];
  const first = waitingId(await refund(session.asha, paymentId, 1100, { reason: 'The first' }));
  waitingId(await refund(session.imran, paymentId, 100, { reason: 'The second' }));
  expect(await refund(session.asha, other, 1000)).toMatchObject({ status: 200, body: { amount: 1000 } });
  waitingId(await refund(session.imran, other, 10, { reason: 'Another part' }));
  expect(await decide(session.asha, 'decline', first)).toMatchObject({ status: 200, body: { state: 'DECLINED' } });
  expect(await decide(session.meena, 'approve', first)).toMatchObject({
    status: 409,
    body: { code: 'nothing_to_change', message: `${first} is decided already, by asha@kaveri.example.` },
  });
  expect(await refunds(paymentId)).toEqual([]);
});

test('plans and units at no price count like refunds, by what they would cost; taking units back counts nothing', async () => {
  const buyer = await newBuyer(world);
  const cycleId = await buyer.buy(0);
  const { id: customerId } = (await world.ask(readAccount, {}, buyer.token)).user;
  // ₹1,499 for 1,00,000 units, 5,000 a day.
  const raise = (units: number) => operators.act(session.asha, 'setQuota', { cycleId, units });
  expect(await raise(40_000)).toMatchObject({ status: 200, body: { worth: 599.6 } });
  expect(await raise(-40_000)).toMatchObject({ status: 200, body: { worth: 0 } });
  const extend = { cycleId, days: 7 };
  const approvalId = waitingId(await operators.act(session.asha, 'extendCycle', extend));
  expect(await decide(session.meena, 'approve', approvalId)).toMatchObject({
    status: 200,
    body: { amount: 524.65, result: { worth: 524.65, extensionId: expect.any(String) } },
  });
  const from = addDays(buyer.today(), 60);
  waitingId(
    await operators.act(session.asha, 'grantPlan', {
      customerId,
      productId: 'invoicing-system',
      planId: 'growth',
      days: 30,
      from,
    }),
  );
  const plans = world.portal.db.selectFrom('cycles').select('id').where('activation_id', '=', buyer.activationId);
  expect(await plans.where('from_date', '>=', from).execute()).toEqual([]);
});

test('a refund that was made already moves nothing, and needs nobody else', async () => {
  const paymentId = await newPayment();
  const same = () => refund(session.asha, paymentId, 700, { reason: 'The same' });
  expect(await same()).toMatchObject({ status: 200, body: { already: false } });
  expect(await same()).toMatchObject({ status: 200, body: { already: true } });
  expect(await refunds(paymentId)).toEqual([70_000]);
});

test('several small refunds at the same time do not get over the limit together', async () => {
  const paymentId = await newPayment();
  const replies = await Promise.all(
    [401, 402, 403, 404].map((amount) => refund(session.asha, paymentId, amount, { reason: `Part ${amount}` })),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const done = await refunds(paymentId);
  // Any two of them are within the limit, and no three.
  expect(done).toHaveLength(2);
  expect(replies.filter(({ body }) => 'waitsForApproval' in Object(body))).toHaveLength(2);
});

test('a request is for exactly its amount, and ends with the right of who asked', async () => {
  const [paymentId, other] = [await newPayment(), await newPayment()];
  const all = waitingId(await refund(session.asha, paymentId, undefined, { reason: 'All of it' }));
  expect(await refund(session.meena, other, 300)).toMatchObject({ status: 200 });
  await world.owner.pool.query(`delete from operator_requests`);
  await decide(session.asha, 'decline', all);
  const again = waitingId(await refund(session.asha, paymentId, undefined, { reason: 'All of it again' }));
  // The command moves money without a limit.
  const cause = { actor: 'root', reason: 'A part by command' };
  await actAsOperator(world.portal, 'owner', 'refundPayment', { of: paymentId, amount: 200 }, cause);
  expect(await decide(session.meena, 'approve', again)).toMatchObject({
    status: 409,
    body: { message: /^It would now be ₹.* instead of ₹/ },
  });
  const helper = await operators.signedIn('helper@kaveri.example', 'owner');
  await operators.prove('helper@kaveri.example');
  const mine = waitingId(await operators.act(helper, 'eraseCustomer', await erasure()));
  await operators.act(session.asha, 'changeOperator', { email: 'helper@kaveri.example', role: 'support' });
  expect(await decide(helper, 'approve', mine)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await decide(helper, 'decline', mine)).toMatchObject({ status: 200, body: { state: 'DECLINED' } });
  const leaver = await operators.signedIn('leaver@kaveri.example', 'owner');
  await operators.prove('leaver@kaveri.example');
  const left = waitingId(await refund(leaver, other, 1150, { reason: 'Before leaving' }));
  await operators.act(session.asha, 'removeOperator', { email: 'leaver@kaveri.example' });
  expect(await decide(session.meena, 'approve', left)).toMatchObject({
    status: 409,
    body: { message: 'leaver@kaveri.example may not do this any more. Decline it.' },
  });
  expect(await refunds(other)).toEqual([30_000]);
});

test('nothing is approved for somebody who is removed while the approval waits', async () => {
  const paymentId = await newPayment();
  const leaver = await operators.signedIn('goner@kaveri.example', 'owner');
  await operators.prove('goner@kaveri.example');
  const approvalId = waitingId(await refund(leaver, paymentId, 1100));
  const client = openClient({ connectionString: world.owner.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query(
    `select from activations where id = (select activation_id from payment_orders o join payments p on p.order_id = o.id
      where p.provider_payment_id = $1) for update`,
    [paymentId],
  );
  const approving = decide(session.meena, 'approve', approvalId);
  await vi.waitFor(async () => expect(await countWaiting(world.owner.db)).toBeGreaterThan(0), { timeout: 60_000 });
  await operators.act(session.asha, 'removeOperator', { email: 'goner@kaveri.example' });
  await client.query('commit');
  await client.end();
  expect(await approving).toMatchObject({
    status: 409,
    body: { message: 'goner@kaveri.example may not do this any more. Decline it.' },
  });
  expect(await refunds(paymentId)).toEqual([]);
});

test('what a program asked for is recorded with its name, however long the names are', async () => {
  const domain = `${'x'.repeat(60)}.example`;
  const [first, second] = [`${'a'.repeat(26)}@${domain}`, `${'b'.repeat(26)}@${domain}`];
  const sessions = [await operators.signedIn(first, 'owner'), await operators.signedIn(second, 'owner')] as const;
  await Promise.all([first, second].map((email) => operators.prove(email)));
  const name = 'n'.repeat(60);
  const made = await operators.act(sessions[0], 'createToken', { name, scopes: ['refundPayment'], days: 1 });
  const approvalId = waitingId(await refund(String(Object(made.body).token), await newPayment(), 1100));
  expect(await decide(sessions[1], 'approve', approvalId)).toMatchObject({ status: 200, body: { state: 'DONE' } });
  const { actions } = Object((await operators.read(session.meena, 'listActions', { limit: 2 })).body);
  const actor = `${first} (${name}), approved by ${second}`;
  expect(actions).toMatchObject([{ actor: second }, { action: 'payments.refund', actor }]);
});

test('a key with which a refund was asked for asks for it once, and never for another one', async () => {
  const paymentId = await newPayment();
  expect(await refund(session.asha, paymentId, 600)).toMatchObject({ status: 200 });
  const ask = (amount: number) => refund(session.asha, paymentId, amount, { key: 'once' });
  await decide(session.meena, 'decline', waitingId(await ask(500)));
  // As on the next day.
  await world.owner.pool.query(`delete from operator_requests`);
  expect(await ask(500)).toMatchObject({ status: 409, body: { code: 'already_done' } });
  expect(await ask(400)).toMatchObject({ status: 409, body: { code: 'key_reused' } });
  expect(await refunds(paymentId)).toEqual([60_000]);
});

test('the same key asks for one approval, and nobody approves without a passkey or the right to do it', async () => {
  const paymentId = await newPayment();
  const ask = () => refund(session.asha, paymentId, 1200, { key: 'ask-1' });
  const approvalId = waitingId(await ask());
  expect(await ask()).toMatchObject({ status: 409, body: { code: 'already_done' } });
  const again = String(Object((await operators.signIn('meena@kaveri.example')).body).accessToken);
  expect(await decide(again, 'approve', approvalId)).toMatchObject({ body: { code: 'passkey_required' } });
  const reader = await operators.signedIn('reader@kaveri.example', 'read-only');
  expect(await decide(reader, 'approve', approvalId)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});

test('an erasure that refunds more than one person may decide waits for another one, and its request goes with the customer', async () => {
  const input = await erasure();
  const { customerId } = input;
  const erased = () =>
    world.portal.db.selectFrom('customers').select('erased_at').where('id', '=', customerId).executeTakeFirstOrThrow();
  const approvalId = waitingId(await operators.act(session.asha, 'eraseCustomer', input));
  expect(await erased()).toEqual({ erased_at: null });
  expect(await decide(session.meena, 'approve', approvalId)).toMatchObject({
    status: 200,
    body: { id: approvalId, state: 'DONE', decidedBy: 'meena@kaveri.example', result: { customerId } },
  });
  expect(await erased()).toEqual({ erased_at: expect.any(Date) });
  const { actions } = Object((await operators.read(session.meena, 'listActions', { limit: 2 })).body);
  expect(actions).toMatchObject([{ action: 'approvals.approve', target: approvalId }, { action: 'customers.erase' }]);
  const kept = world.portal.db.selectFrom('approvals').select('id').where('id', '=', approvalId);
  expect(await kept.execute()).toEqual([]);
});

const of = (name: string) => `(select id from operators where email = '${name}@kaveri.example')`;

test('the database itself holds that two people decide, once, about what was asked for, with the action in the audit log', async () => {
  const { db } = world.portal;
  const paymentId = await newPayment();
  const id = waitingId(await refund(session.asha, paymentId, 1300));
  const done = (name: string) =>
    `update approvals set state = 'DONE', approved_by = ${of(name)}, decided_at = now() where id = '${id}'`;
  const refused = [
    [done('meena'), 'is not in the audit log'],
    [`update approvals set amount_paise = 1 where id = '${id}'`, 'stays as it was asked for'],
    [`update approvals set requested_by = ${of('meena')} where id = '${id}'`, 'stays as it was asked for'],
    [`delete from approvals where id = '${id}'`, 'only with its customer'],
    [
      `insert into approvals select 'APR-X', call, input, customer_id, amount_paise, reason, requested_by, null, requested_at, 'DONE', ${of('meena')},
         null, now() from approvals where id = '${id}'`,
      'has not been asked for',
    ],
  ] as const;
  for (const [statement, words] of refused)
    await expect(sql.raw(statement).execute(db), statement).rejects.toThrow(words);
  // Also beside an entry of the customer.
  const entry = `insert into operator_actions (position, acted_at, actor, action, target, customer_id, reason, effect, hash)
    select 1, now(), 'asha', 'payments.refund', 'pay', customer_id, 'x', '{}', sha256('') from approvals where id = '${id}'`;
  await expect(
    db.transaction().execute(async (tx) => {
      await sql.raw(entry).execute(tx);
      await sql.raw(done('asha')).execute(tx);
    }),
  ).rejects.toThrow('approvals_check');
});
