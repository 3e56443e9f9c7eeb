import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Catalog } from '#catalog/catalog.ts';
import { readAccount } from '#shared/contract/account.ts';
import { endCycle } from '#shared/contract/cycles.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { endRenewal, skipRenewal } from '#shared/contract/renewals.ts';
import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { whyNotRenewed } from '#shared/domain/renewal.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { checkMandate, whyDebitIsVoid } from '#server/features/mandates/mandates.ts';
import { requireActivation } from '#server/features/ownership/ownership.ts';
import { runRounds } from '#server/start-rounds.ts';
import { readRenewalFacts } from './facts.ts';
import { useRenewals } from './test-renewals.ts';

const {
  the,
  params,
  renewal,
  cycles,
  debits,
  mandate,
  mails,
  untilDebits,
  move,
  payWithConsent,
  goBefore,
  sentToBank,
} = useRenewals();

const withoutTriggers = (tx: Tx) => sql`set local session_replication_role = replica`.execute(tx);

/** The database as a backup of before the debits has it. */
async function forgetDebits(): Promise<void> {
  const { portal, activationId } = the();
  await transaction(portal.owner.db, async (tx) => {
    await withoutTriggers(tx);
    const next = sql`(select cycle_id from mandate_debits where activation_id = ${activationId})`;
    await sql`create temporary table lost on commit drop as select id from cycles where id in ${next}`.execute(tx);
    for (const table of ['mandate_debits', 'payments', 'order_cycles', 'payment_orders'])
      await sql`delete from ${sql.table(table)} where cycle_id in (select id from lost)`.execute(tx);
    await sql`delete from cycles where id in (select id from lost)`.execute(tx);
  });
}

test('what was debited since the backup that was restored is found by its receipt, and not asked for again', async () => {
  const { portal } = the();
  await sentToBank();
  const [before] = await debits().execute();
  await forgetDebits();
  expect(await debits().execute()).toEqual([]);
  await runRounds(portal.portal);
  await untilDebits('SENT');
  const [after] = await debits().execute();
  expect(after).toMatchObject({ order_id: before?.order_id, payment_id: before?.payment_id });
  expect(after?.cycle_id).not.toBe(before?.cycle_id);
  await move(1.5);
  await untilDebits('PAID');
  expect((await cycles()).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
});

test('after a restore, a second try that was asked for since the backup is found too, though the first one left no trace', async () => {
  const { portal } = the();
  await goBefore(5);
  const { token_id: tokenId } = await mandate();
  await portal.behave({ webhooks: { enabled: false } });
  onTestFinished(() => void portal.behave({}));
  await portal.standin('POST', `/standin/tokens/${tokenId}/pause`, {});
  await goBefore(4);
  await untilDebits('DROPPED');
  await portal.standin('POST', `/standin/tokens/${tokenId}/resume`, {});
  // Nothing told of it: a mandate that is paused is read again by itself.
  await portal.portal.db
    .updateTable('mandates')
    .set({ next_check_at: new Date() })
    .where('token_id', '=', tokenId)
    .where('next_check_at', 'is not', null)
    .execute();
  await expect.poll(async () => (await mandate()).state).toBe('IN_FORCE');
  await runRounds(portal.portal);
  await untilDebits('DROPPED', 'SENT');
  const [, asked] = await debits().execute();
  await forgetDebits();
  await runRounds(portal.portal);
  await untilDebits('DROPPED');
  await runRounds(portal.portal);
  await untilDebits('DROPPED', 'SENT');
  expect((await debits().execute())[1]).toMatchObject({ payment_id: asked?.payment_id });
});

test('while a debit may still be paid its period can’t be paid by hand, the page says until when, and after that it can', async () => {
  const { portal, token } = the();
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  const debit = await sentToBank();
  const until = (await renewal()).next?.waitsUntil;
  expect(Date.parse(until ?? '')).toBe((debit?.asked_at.getTime() ?? 0) + 48 * 3_600_000);
  const order = () => portal.send(createOrder, { params: { id: debit?.cycle_id ?? '' } }, token);
  expect((await order()).body).toMatchObject({ code: 'payment_under_way' });
  await move(1.9);
  expect((await order()).body).toMatchObject({ code: 'payment_under_way' });
  await move(0.2);
  await payWithConsent([debit?.cycle_id ?? ''], false);
  expect((await cycles()).find(({ id }) => id === debit?.cycle_id)).toMatchObject({ status: 'PAID' });
  // What the bank pays after all is refunded.
  await portal.standin('POST', `/standin/payments/${debit?.payment_id}/authorize`, {});
  await untilDebits('FAILED');
  const refunds = portal.portal.db.selectFrom('refunds').select('amount_paise');
  expect(await refunds.where('payment_id', '=', debit?.payment_id ?? '').execute()).toEqual([
    { amount_paise: 149_900 },
  ]);
});

test('a period that was debited and then cancelled, or removed after a debit that failed, is not debited again', async () => {
  const { portal, token, activationId } = the();
  await sentToBank();
  await move(1.1);
  await untilDebits('PAID');
  const prepaid = (await cycles()).at(-1);
  await portal.ask(endCycle, { params: { activationId, billingCycleId: prepaid?.id ?? '' } }, token);
  await move(2);
  await runRounds(portal.portal);
  await runRounds(portal.portal);
  await untilDebits('PAID');
  expect(await renewal()).toMatchObject({ whyNot: 'given_up', next: null });
  expect((await mails()).filter((subject) => subject.startsWith('Your plan ends tonight'))).toHaveLength(1);
});

test('an unpaid period that was removed after its debit failed is not debited again, and the database holds that', async () => {
  const { portal, token, activationId } = the();
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds'], retries: 0 } });
  await sentToBank();
  await move(1.1);
  await untilDebits('FAILED');
  const [debit] = await debits().execute();
  if (!debit) throw new Error('there is no debit');
  const again = {
    ...debit,
    order_id: 'ORD-AGAIN',
    attempt: 2,
    state: 'ASKED',
    payment_id: null,
    reason: null,
  } as const;
  const insert = () =>
    portal.portal.db
      .insertInto('mandate_debits')
      .values({ ...again, asked_at: new Date(portal.portal.clock()), ended_at: null, next_try_at: new Date() })
      .execute();
  await expect(insert()).rejects.toThrow('is debited again not before the day after a failure');
  await portal.ask(endCycle, { params: { activationId, billingCycleId: debit.cycle_id } }, token);
  await move(1);
  await expect(insert()).rejects.toThrow('may not be debited');
  await runRounds(portal.portal);
  await runRounds(portal.portal);
  await untilDebits('FAILED');
  expect((await renewal()).whyNot).toBe('given_up');
});

/** Why nothing is debited once something has changed. */
async function whyNotAfter(change: (tx: Tx) => Promise<unknown>): Promise<string | undefined> {
  const { portal, activationId, customerId } = the();
  const owner = { customerId };
  const undone = new Error('undone');
  let why: string | undefined;
  const read = transaction(portal.owner.db, async (tx) => {
    await change(tx);
    const activation = await requireActivation(owner, tx, activationId, true);
    const { facts } = await readRenewalFacts(portal.portal, owner, tx, activation, portal.portal.catalog);
    why = whyNotRenewed(facts);
    throw undone;
  });
  await expect(read).rejects.toBe(undone);
  return why;
}

test('each fact that forbids a debit is read: block, erasure, deletion, deactivation, and a plan not sold any more', async () => {
  const { portal, activationId, customerId } = the();
  const customer = (set: { blocked_at?: Date; blocked_reason?: string; erased_at?: Date }) => (tx: Tx) =>
    tx.updateTable('customers').set(set).where('id', '=', customerId).execute();
  const at = new Date(portal.portal.clock());
  expect(await whyNotAfter(async () => undefined)).toBeUndefined();
  expect(await whyNotAfter(customer({ blocked_at: at, blocked_reason: 'Fraud' }))).toBe('blocked');
  expect(
    await whyNotAfter(async (tx) => {
      await withoutTriggers(tx);
      await customer({ erased_at: at })(tx);
    }),
  ).toBe('deleted');
  expect(
    await whyNotAfter(async (tx) => {
      // Without the trigger that ends its mandate.
      await withoutTriggers(tx);
      await tx.updateTable('activations').set({ deleted_at: at }).where('id', '=', activationId).execute();
    }),
  ).toBe('deleted');
  const [running] = await cycles();
  const plan = { params: { activationId, billingCycleId: running?.id ?? '' } };
  await portal.ask(endCycle, plan, the().token);
  expect(await renewal()).toMatchObject({ whyNot: 'off', mandate: { endedBy: 'PLAN' }, next: null });
});

test('a debit whose plan is not the one that runs before its days pays for nothing', async () => {
  const { portal, activationId } = the();
  const debit = await sentToBank();
  const undone = new Error('undone');
  const why: (string | undefined)[] = [];
  const read = transaction(portal.owner.db, async (tx) => {
    await withoutTriggers(tx);
    why.push(await whyDebitIsVoid(portal.portal, tx, debit?.order_id ?? ''));
    await sql`update cycles set plan = jsonb_set(plan, '{planId}', '"scale"') where activation_id = ${activationId} and status = 'PAID'`.execute(
      tx,
    );
    why.push(await whyDebitIsVoid(portal.portal, tx, debit?.order_id ?? ''));
    throw undone;
  });
  await expect(read).rejects.toBe(undone);
  expect(why).toEqual([undefined, 'Another plan covers its days']);
});

test('a token that the provider says it does not know ends no mandate that is in force', async () => {
  const { portal } = the();
  const { id } = await mandate();
  await transaction(portal.owner.db, async (tx) => {
    await withoutTriggers(tx);
    await tx
      .updateTable('mandates')
      .set({ token_id: `token_of_${id}` })
      .where('id', '=', id)
      .execute();
  });
  await expect(checkMandate(portal.portal, id)).rejects.toThrow('The id provided does not exist');
  expect(await mandate()).toMatchObject({ state: 'IN_FORCE', token_over_at: null });
  // One that has ended here is over there.
  await portal.ask(endRenewal, params(), the().token);
  await expect.poll(async () => (await mandate()).token_over_at).not.toBeNull();
});

test('a plan that has run out promises no debit', async () => {
  const { portal, token } = the();
  await goBefore(5);
  await portal.ask(skipRenewal, { ...params(), body: { isSkipped: true } }, token);
  await goBefore(-1);
  expect(await renewal()).toMatchObject({ whyNot: 'no_plan', next: null });
});

test('a plan that is not sold any more is not debited', async () => {
  const { portal, activationId, customerId } = the();
  const owner = { customerId };
  const { db, catalog } = portal.portal;
  const activation = await requireActivation(owner, db, activationId);
  const facts = async (of: Catalog) =>
    whyNotRenewed((await readRenewalFacts(portal.portal, owner, db, activation, of)).facts);
  const product = catalog.find(activation.service_id);
  if (!product) throw new Error('there is no product');
  const without = { ...product, plans: product.plans.filter(({ planId }) => planId !== 'growth') };
  expect(await facts(catalog)).toBeUndefined();
  expect(await facts({ ...catalog, find: () => without })).toBe('withdrawn');
  expect(await facts({ ...catalog, find: () => undefined })).toBe('withdrawn');
});

test('an operator ends a mandate with a reason that its customer reads; it waits for operators until Razorpay has cancelled it', async () => {
  const { portal, token, customerId } = the();
  const cause = { actor: 'asha', reason: 'Asked by telephone' };
  const waiting = async () => readAsOperator(portal.portal, 'owner', 'listWaiting', { kind: 'MANDATE', limit: 5 });
  await portal.behave({ mandates: { cancellation: 'fail' } });
  onTestFinished(() => void portal.behave({}));
  const [listed] = await readAsOperator(portal.portal, 'owner', 'listMandates', { customerId });
  expect(listed).toMatchObject({ state: 'IN_FORCE', planName: 'Growth', ceiling: 1874, debits: [] });
  const mandateId = listed?.id ?? '';
  const shown = async () =>
    (await readAsOperator(portal.portal, 'support', 'readCustomer', { customerId })).activations;
  expect(await shown()).toMatchObject([{ mandate: { id: mandateId, state: 'IN_FORCE' } }]);
  await actAsOperator(portal.portal, 'support', 'endMandate', { mandateId }, cause);
  expect(await renewal()).toMatchObject({ mandate: { state: 'ENDED', endedBy: 'OPERATOR' }, whyNot: 'off' });
  expect(await shown()).toMatchObject([{ mandate: null }]);
  expect(await mails()).toContain('No longer renews automatically: Growth plan');
  const { providerActions } = await portal.ask(readAccount, {}, token);
  expect(providerActions).toMatchObject([{ action: 'mandates.end', target: mandateId, reason: cause.reason }]);
  expect((await waiting()).kinds).toEqual([]);
  await goBefore(4);
  expect(await debits().execute()).toEqual([]);
  const [kind] = (await waiting()).kinds;
  expect(kind?.waiting[0]?.about).toMatch(/the ended mandate for Growth is not cancelled at Razorpay$/);
  await portal.behave({});
  const soon = { next_check_at: new Date() };
  await portal.portal.db.updateTable('mandates').set(soon).where('id', '=', mandateId).execute();
  await expect.poll(async () => (await renewal()).mandate?.isCancelled).toBe(true);
  expect((await waiting()).kinds).toEqual([]);
});
