import { expect } from 'vitest';
import { addCycle } from '#shared/contract/cycles.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { listUnpaidRefunds } from '#server/features/refunds/refunds.ts';
import { blockCustomer, unblockCustomer } from '#server/features/customers/blocks.ts';
import { makeGrant } from '#server/features/grants/grants.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { recordTransfer, turnRefund } from '#server/features/refunds/operator-transfers.ts';
import { withdrawGrant } from '#server/features/grants/withdraw-grant.ts';
import { at, command, problem } from './model-command.ts';
import type { Money } from './test-money.ts';
import {
  added,
  deactivated,
  ended,
  everyCycle,
  giveBack,
  areDaysFree,
  leftOf,
  type Model,
  type ModelCycle,
  plans,
  refunded,
  running,
} from './money-model.ts';
import { namesOfRefunds } from './named-refunds.ts';

const paidFor = (model: Model) => everyCycle(model).filter(({ paidOn, orders }) => paidOn >= 0 && orders.length > 0);
const isPaid = ({ status }: ModelCycle) => ['PAID', 'DEACTIVATED', 'REFUNDED'].includes(status);
export const refundableByOperator = (model: Model) => paidFor(model).filter(isPaid);

const cause = { actor: 'test', reason: 'By the model' };

type Unpaid = Awaited<ReturnType<typeof listUnpaidRefunds>>[number];

/** The operator transfers the refunds that the provider can't pay, unless a dispute may take them. */
export async function transferByHand({ portal }: Money, isWanted: (refund: Unpaid) => boolean): Promise<void> {
  const on = dayOf(portal.clock());
  for (const refund of (await listUnpaidRefunds(portal.db, portal.clock())).filter(isWanted)) {
    if (refund.payout !== 'TRANSFER' || refund.waitsForDispute) continue;
    await recordTransfer(portal, refund.id, { utr: refund.customerId.replaceAll(/\W/g, ''), on }, cause);
  }
}

/** The operator no longer waits for the provider, which refuses the refunds of a payment. */
export async function turnRefused({ portal }: Money, paymentId: string): Promise<void> {
  for (const refund of await listUnpaidRefunds(portal.db, portal.clock())) {
    if (refund.paymentId !== paymentId || refund.payout !== 'PROVIDER' || refund.isLate || refund.waitsForDispute)
      continue;
    await turnRefund(portal, refund.id, cause);
  }
}

/** The operator refunds a share of what is left of a plan; the same order a second time does nothing. */
export const refundByOperator = (which: number, percent: number) =>
  command(
    `refund ${percent} % of what is left of plan ${which} by the operator`,
    (model) => refundableByOperator(model).length > 0,
    async (model, { money }) => {
      const cycle = at(refundableByOperator(model), which);
      const leftPaise = leftOf(cycle);
      const amountPaise = percent === 100 ? undefined : Math.floor((leftPaise * percent) / 100);
      const named = await namesOfRefunds(money.portal.db, cycle.id, amountPaise ?? leftPaise);
      const reason = `Goodwill ${cycle.id} ${leftPaise} ${percent}${named}`;
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
      const before = model.refundPaise;
      giveBack(model, cycle, paise);
      refunded(model, cycle);
      // With the packs that come back with the plan.
      expect(await refund()).toMatchObject({ already: false, totalPaise: model.refundPaise - before });
      expect(await refund()).toMatchObject({ already: true, totalPaise: paise });
    },
  );

const hasPaidPack = (model: Model, cycle: ModelCycle): boolean =>
  everyCycle(model).some((pack) => pack.adds === cycle && pack.status === 'PAID' && leftOf(pack) > 0);

/** The operator grants a plan; a running free one ends for it, unless the customer paid for a pack of it. */
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
      if (!areDaysFree(model, from, plans.granted.days, replaced)) {
        await expect(grant()).rejects.toThrow('The first free day is');
        return;
      }
      if (replaced && hasPaidPack(model, replaced)) {
        await expect(grant()).rejects.toThrow('the customer paid for its pack');
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
      const isOver = cycle.status !== 'NO_PAYMENT_REQUIRED' || model.today >= cycle.from + cycle.days;
      if (isOver || hasPaidPack(model, cycle)) {
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
