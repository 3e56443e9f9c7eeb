import { expect } from 'vitest';
import { addCycle } from '#contract/cycles.ts';
import { createOrder } from '#contract/payments.ts';
import { addDays, dayOf } from '#domain/day.ts';
import { workOnRefund } from '#server/features/payments/money-back.ts';
import { isDisputed, listUnpaidRefunds } from '#server/features/refunds/refunds.ts';
import { blockCustomer, unblockCustomer } from '#server/operator/blocks.ts';
import { makeGrant } from '#server/operator/grants.ts';
import { makeRefund } from '#server/operator/refunds.ts';
import { recordTransfer } from '#server/operator/transfers.ts';
import { withdrawGrant } from '#server/operator/withdraw-grant.ts';
import { at, command, problem } from './model-command.ts';
import {
  added,
  carriedOut,
  deactivated,
  ended,
  everyCycle,
  giveBack,
  isFree,
  type Model,
  type ModelCycle,
  plans,
  refunded,
  running,
} from './money-model.ts';

const paidFor = (model: Model) => everyCycle(model).filter(({ paidOn, orders }) => paidOn >= 0 && orders.length > 0);
const leftOf = (cycle: ModelCycle) => plans[cycle.plan].paise - cycle.backPaise;
const isPaid = ({ status }: ModelCycle) => ['PAID', 'DEACTIVATED', 'REFUNDED'].includes(status);

/** Refunds that are promised are carried out: by the provider, and by transfers of the operator. */
export const carryOutRefunds = command(
  'carry out refunds',
  (model) => model.refundPaise > 0,
  async (model, { money, customer }) => {
    const { db } = money.portal;
    const due = await db
      .selectFrom('refunds')
      .select('id')
      .where('customer_id', '=', customer.customerId)
      .where('status', '<>', 'PROCESSED')
      .execute();
    for (const { id } of due) await workOnRefund(money.portal, id);
    // What the provider can't pay, the operator transfers, unless a dispute may take it.
    const utr = customer.customerId.replaceAll(/\W/g, '');
    const on = dayOf(money.portal.clock());
    for (const { id, customerId, payout, paymentId } of await listUnpaidRefunds(db)) {
      if (customerId !== customer.customerId || payout !== 'TRANSFER' || (await isDisputed(db, paymentId))) continue;
      await recordTransfer(money.portal, id, { utr, on }, { actor: 'test', reason: 'By the model' });
    }
    for (const payment of model.payments) carriedOut(payment);
  },
);

/** The operator refunds a share of what is left of a plan; the same order a second time does nothing. */
export const refundByOperator = (which: number, percent: number) =>
  command(
    `refund ${percent} % of what is left of plan ${which} by the operator`,
    (model) => paidFor(model).some(isPaid),
    async (model, { money }) => {
      const cycle = at(paidFor(model).filter(isPaid), which);
      const leftPaise = leftOf(cycle);
      const amountPaise = percent === 100 ? undefined : Math.floor((leftPaise * percent) / 100);
      const reason = `Goodwill ${cycle.id} ${leftPaise} ${percent}`;
      const refund = () => makeRefund(money.portal, { of: cycle.id, reason, amountPaise }, 'test');
      if (leftPaise === 0) {
        await expect(refund()).rejects.toThrow('Nothing is left');
        return;
      }
      const rest = leftPaise - (amountPaise ?? leftPaise);
      if (percent > 100 || (rest > 0 && (rest < 100 || leftPaise - rest < 100))) {
        await expect(refund()).rejects.toThrow('can be refunded');
        return;
      }
      const paise = amountPaise ?? leftPaise;
      expect(await refund()).toMatchObject({ already: false, totalPaise: paise });
      giveBack(model, cycle, paise);
      refunded(model, cycle);
      expect(await refund()).toMatchObject({ already: true, totalPaise: paise });
    },
  );

const cause = { actor: 'test', reason: 'By the model' };

/** The operator grants a plan; a running free one ends for it. */
export const grantPlan = (inDays: number) =>
  command(
    `grant a plan in ${inDays} days`,
    () => true,
    async (model, { money, customer, firstDay }) => {
      const from = model.today + inDays;
      const order = {
        customerId: customer.customerId,
        productId: 'tax-lookup-api',
        planId: 'starter',
        days: plans.granted.days,
        from: addDays(firstDay, from),
      };
      const grant = () => makeGrant(money.portal, order, cause);
      if (inDays < 0) {
        await expect(grant()).rejects.toThrow('The first day is today');
        return;
      }
      const now = running(model);
      const replaced = now && inDays === 0 && plans[now.plan].paise === 0 && now.plan !== 'granted' ? now : undefined;
      if (!isFree(model, from, plans.granted.days, replaced)) {
        await expect(grant()).rejects.toThrow('The first free day is');
        return;
      }
      const { activationId, cycleId } = await grant();
      model.activationId = activationId ?? undefined;
      if (replaced) deactivated(model, replaced);
      added(model, cycleId, 'granted', from);
    },
  );

/** The operator ends a granted plan early, and no other. */
export const withdrawPlan = (which: number) =>
  command(
    `end plan ${which} by the operator`,
    (model) => model.cycles.length > 0,
    async (model, { money }) => {
      const grants = model.cycles.filter(({ plan }) => plan === 'granted');
      const cycle = at(grants.length > 0 ? grants : model.cycles, which);
      const withdraw = () => withdrawGrant(money.portal, cycle.id, cause);
      if (cycle.plan !== 'granted') {
        await expect(withdraw()).rejects.toThrow('was not granted');
        return;
      }
      const isRunning = model.today >= cycle.from;
      const hasPaidPack = everyCycle(model).some(
        (pack) => pack.adds === cycle && pack.status === 'PAID' && leftOf(pack) > 0,
      );
      const isOver = cycle.status !== 'NO_PAYMENT_REQUIRED' || model.today >= cycle.from + cycle.days;
      if (isOver || hasPaidPack) {
        await expect(withdraw()).rejects.toThrow(isOver ? 'has ended already' : 'The customer paid for its pack');
        return;
      }
      expect(await withdraw()).toMatchObject({ isRunning });
      ended(model, cycle);
    },
  );

/** The operator blocks the customer for a while: nothing is bought, and a payment that arrives meanwhile is refunded. */
export const whileBlocked = (settle: ReturnType<typeof command>) =>
  command(
    `${settle.toString()} while the customer is blocked`,
    (model) => model.payments.length > 0,
    async (model, real) => {
      const { money, customer, firstDay } = real;
      await blockCustomer(money.portal, customer.customerId, cause);
      model.isBlocked = true;
      const { activationId } = model;
      const [cycle] = model.cycles;
      if (activationId !== undefined) {
        const params = { activationId, planId: 'starter' };
        const body = { startDate: addDays(firstDay, model.today + 400) };
        expect(problem.parse((await money.send(addCycle, { params, body }, customer.token)).body).code).toBe(
          'account_blocked',
        );
      }
      if (cycle) {
        const response = await money.send(createOrder, { params: { id: cycle.id } }, customer.token);
        expect(problem.parse(response.body).code).toBe('account_blocked');
      }
      await settle.run(model, real);
      await unblockCustomer(money.portal, customer.customerId, cause);
      model.isBlocked = false;
    },
  );
