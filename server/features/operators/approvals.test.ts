import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { openClient } from '#shared/database/clients.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { joinPortals } from '#server/portal-presence.ts';
import { startTeam, type Team, waitingId } from './test-team.ts';

let team: Team;
beforeAll(async () => {
  team = await startTeam();
});
afterAll(() => team.world.close());

/** Of a customer whose plan refunds unused days. */
async function erasure() {
  const buyer = await newBuyer(team.world);
  await buyer.buy(0);
  const { id: customerId } = (await team.world.ask(readAccount, {}, buyer.token)).user;
  return { customerId, endPlans: true, withinYear: true };
}

test('up to the limit one person refunds alone; above it nothing is done until another one approves, once', async () => {
  const paymentId = await team.newPayment();
  expect(await team.refund(team.session.asha, paymentId, 400, { reason: 'A first part' })).toMatchObject({
    status: 200,
    body: { amount: 400 },
  });
  const approvalId = waitingId(await team.refund(team.session.asha, paymentId, 700, { reason: 'A second part' }));
  expect(await team.refunds(paymentId)).toEqual([40_000]);
  expect(await team.operators.read(team.session.meena, 'listApprovals', { state: 'WAITING' })).toMatchObject({
    body: { approvals: [{ id: approvalId, call: 'refundPayment', amount: 700, requestedBy: 'asha@kaveri.example' }] },
  });
  const own = await team.decide(team.session.asha, 'approve', approvalId);
  expect(own).toMatchObject({ status: 409, body: { message: /You asked for this yourself/ } });
  const preview = await team.operators.preview(team.session.meena, 'approve', { approvalId });
  expect(preview).toMatchObject({ status: 200, body: { state: 'WAITING', result: { amount: 700 } } });
  const decided = await Promise.all(
    [team.session.meena, team.session.imran, team.session.meena].map((token) =>
      team.operators.act(token, 'approve', { approvalId }, { reason: 'Looked at the bank' }),
    ),
  );
  expect(decided.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409']);
  expect(await team.refunds(paymentId)).toEqual([40_000, 70_000]);
  const { actions } = Object((await team.operators.read(team.session.meena, 'listActions', { limit: 2 })).body);
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
  expect((await verifyLedgerOf(team.world.portal.db)).faults).toEqual([]);
});

test('a stricter limit of another running portal counts here too, until that portal stops', async () => {
  const { db, log } = team.world.portal;
  const paymentId = await team.newPayment();
  const stricter = await joinPortals(db, { OPERATOR_APPROVAL_RUPEES: '300' }, log);
  waitingId(await team.refund(team.session.asha, paymentId, 400, { reason: 'Above the limit of the other' }));
  await stricter.stop();
  expect(await team.refund(team.session.asha, paymentId, 410, { reason: 'Below the own one' })).toMatchObject({
    status: 200,
    body: { amount: 410 },
  });
});

test('one person corrects the buyer of an invoice when nothing is given back', async () => {
  const buyer = await newBuyer(team.world);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  const { id: customerId } = (await team.world.ask(readAccount, {}, buyer.token)).user;
  await team.operators.act(team.session.asha, 'changeDetails', { customerId, legalName: 'Another Name' });
  const corrected = await team.operators.act(team.session.asha, 'correctInvoice', { number: invoice?.number ?? '' });
  expect(corrected).toMatchObject({ status: 200, body: { refunded: 0 } });
});

test('what waits counts towards the limit, parts of a customer are added up, and each customer has a limit of its own', async () => {
  const [paymentId, other] = [await team.newPayment(), await team.newPayment()];
  const first = waitingId(await team.refund(team.session.asha, paymentId, 1100, { reason: 'The first' }));
  waitingId(await team.refund(team.session.imran, paymentId, 100, { reason: 'The second' }));
  expect(await team.refund(team.session.asha, other, 1000)).toMatchObject({ status: 200, body: { amount: 1000 } });
  waitingId(await team.refund(team.session.imran, other, 10, { reason: 'Another part' }));
  expect(await team.decide(team.session.asha, 'decline', first)).toMatchObject({
    status: 200,
    body: { state: 'DECLINED' },
  });
  expect(await team.decide(team.session.meena, 'approve', first)).toMatchObject({
    status: 409,
    body: { code: 'nothing_to_change', message: `${first} is decided already, by asha@kaveri.example.` },
  });
  expect(await team.refunds(paymentId)).toEqual([]);
});

test('a refund that was made already moves nothing, and needs nobody else', async () => {
  const paymentId = await team.newPayment();
  const same = () => team.refund(team.session.asha, paymentId, 700, { reason: 'The same' });
  expect(await same()).toMatchObject({ status: 200, body: { already: false } });
  expect(await same()).toMatchObject({ status: 200, body: { already: true } });
  expect(await team.refunds(paymentId)).toEqual([70_000]);
});

test('several small refunds at the same time do not get over the limit together', async () => {
  const paymentId = await team.newPayment();
  const replies = await Promise.all(
    [401, 402, 403, 404].map((amount) =>
      team.refund(team.session.asha, paymentId, amount, { reason: `Part ${amount}` }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const done = await team.refunds(paymentId);
  // Any two of them are within the limit, and no three.
  expect(done).toHaveLength(2);
  expect(replies.filter(({ body }) => 'waitsForApproval' in Object(body))).toHaveLength(2);
});

test('a request is for exactly its amount, and ends with the right of who asked', async () => {
  const [paymentId, other] = [await team.newPayment(), await team.newPayment()];
  const all = waitingId(await team.refund(team.session.asha, paymentId, undefined, { reason: 'All of it' }));
  expect(await team.refund(team.session.meena, other, 300)).toMatchObject({ status: 200 });
  await team.world.owner.pool.query(`delete from operator_requests`);
  await team.decide(team.session.asha, 'decline', all);
  const again = waitingId(await team.refund(team.session.asha, paymentId, undefined, { reason: 'All of it again' }));
  // The command moves money without a limit.
  const cause = { actor: 'root', reason: 'A part by command' };
  await actAsOperator(team.world.portal, 'owner', 'refundPayment', { of: paymentId, amount: 200 }, cause);
  expect(await team.decide(team.session.meena, 'approve', again)).toMatchObject({
    status: 409,
    body: { message: /^It would now be ₹.* instead of ₹/ },
  });
  const helper = await team.operators.signedIn('helper@kaveri.example', 'owner');
  await team.operators.prove('helper@kaveri.example');
  const mine = waitingId(await team.operators.act(helper, 'eraseCustomer', await erasure()));
  await team.operators.act(team.session.asha, 'changeOperator', { email: 'helper@kaveri.example', role: 'support' });
  expect(await team.decide(helper, 'approve', mine)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await team.decide(helper, 'decline', mine)).toMatchObject({ status: 200, body: { state: 'DECLINED' } });
  const leaver = await team.operators.signedIn('leaver@kaveri.example', 'owner');
  await team.operators.prove('leaver@kaveri.example');
  const left = waitingId(await team.refund(leaver, other, 1150, { reason: 'Before leaving' }));
  await team.operators.act(team.session.asha, 'removeOperator', { email: 'leaver@kaveri.example' });
  expect(await team.decide(team.session.meena, 'approve', left)).toMatchObject({
    status: 409,
    body: { message: 'leaver@kaveri.example may not do this any more. Decline it.' },
  });
  expect(await team.refunds(other)).toEqual([30_000]);
});

test('nothing is approved for somebody who is removed while the approval waits', async () => {
  const paymentId = await team.newPayment();
  const leaver = await team.operators.signedIn('goner@kaveri.example', 'owner');
  await team.operators.prove('goner@kaveri.example');
  const approvalId = waitingId(await team.refund(leaver, paymentId, 1100));
  const client = openClient({ connectionString: team.world.owner.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query(
    `select from activations where id = (select activation_id from payment_orders o join payments p on p.order_id = o.id
      where p.provider_payment_id = $1) for update`,
    [paymentId],
  );
  const approving = team.decide(team.session.meena, 'approve', approvalId);
  await vi.waitFor(async () => expect(await countWaiting(team.world.owner.db)).toBeGreaterThan(0), { timeout: 60_000 });
  await team.operators.act(team.session.asha, 'removeOperator', { email: 'goner@kaveri.example' });
  await client.query('commit');
  await client.end();
  expect(await approving).toMatchObject({
    status: 409,
    body: { message: 'goner@kaveri.example may not do this any more. Decline it.' },
  });
  expect(await team.refunds(paymentId)).toEqual([]);
});

test('an erasure that refunds more than one person may decide waits for another one, and its request goes with the customer', async () => {
  const input = await erasure();
  const { customerId } = input;
  const erased = () =>
    team.world.portal.db
      .selectFrom('customers')
      .select('erased_at')
      .where('id', '=', customerId)
      .executeTakeFirstOrThrow();
  const approvalId = waitingId(await team.operators.act(team.session.asha, 'eraseCustomer', input));
  expect(await erased()).toEqual({ erased_at: null });
  expect(await team.decide(team.session.meena, 'approve', approvalId)).toMatchObject({
    status: 200,
    body: { id: approvalId, state: 'DONE', decidedBy: 'meena@kaveri.example', result: { customerId } },
  });
  expect(await erased()).toEqual({ erased_at: expect.any(Date) });
  const { actions } = Object((await team.operators.read(team.session.meena, 'listActions', { limit: 2 })).body);
  expect(actions).toMatchObject([{ action: 'approvals.approve', target: approvalId }, { action: 'customers.erase' }]);
  const kept = team.world.portal.db.selectFrom('approvals').select('id').where('id', '=', approvalId);
  expect(await kept.execute()).toEqual([]);
});

const of = (name: string) => `(select id from operators where email = '${name}@kaveri.example')`;

test('the database itself holds that two people decide, once, about what was asked for, with the action in the audit log', async () => {
  const { db } = team.world.portal;
  const paymentId = await team.newPayment();
  const id = waitingId(await team.refund(team.session.asha, paymentId, 1300));
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
