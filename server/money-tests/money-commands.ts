import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { deleteActivation } from '#shared/contract/activations.ts';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { verifyPayment } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { reconcileOrder } from '#server/features/payments/reconcile.ts';
import {
  added,
  deleted,
  ended,
  everyCycle,
  type Model,
  type ModelPlan,
  plans,
  priceOf,
  whyNotAdded,
  whyPeriodsNotAdded,
} from './money-model.ts';
import { portalReads } from './payment-model.ts';
import { at, command, problem } from './model-command.ts';
import { order, orderTogether } from './order-commands.ts';
import {
  backAndForth,
  carryOut,
  decideDispute,
  openDispute,
  refundElsewhere,
  settleAtProvider,
  stepsBack,
} from './elsewhere-commands.ts';
import { grantPlan, refundByOperator, whileBlocked, withdrawPlan } from './operator-commands.ts';
import { linkKinds } from './link-commands.ts';
import { packKinds } from './pack-commands.ts';
import { switchTo } from './switch-commands.ts';
import { declare, decide } from './tds-commands.ts';
import { browserReport, dayMs, quiet } from './test-money.ts';

const activatedReply = z.object({ activationId: z.string(), billingCycleId: z.string() });
const activate = (plan: ModelPlan) =>
  command(
    `activate ${plan}`,
    () => true,
    async (model, { money, customer }) => {
      const response = await money.send(
        activatePlan,
        { params: { id: 'tax-lookup-api', planId: plan } },
        customer.token,
      );
      const refused = model.activationId === undefined ? whyNotAdded(model, plan, model.today) : 'already_activated';
      if (refused !== undefined) {
        expect(problem.parse(response.body).code).toBe(refused);
        return;
      }
      const reply = activatedReply.parse(response.body);
      model.activationId = reply.activationId;
      added(model, reply.billingCycleId, plan, model.today);
    },
  );

const add = (plan: ModelPlan, inDays: number, periods = 1) =>
  command(
    `add ${periods} × ${plan} in ${inDays} days`,
    (model) => model.activationId !== undefined,
    async (model, { money, customer, firstDay }) => {
      const from = model.today + inDays;
      const params = { activationId: model.activationId ?? '', planId: plan };
      const body = { startDate: addDays(firstDay, from), ...(periods > 1 && { periods }) };
      const response = await money.send(addCycle, { params, body }, customer.token);
      const starts = Array.from({ length: periods }, (_, index) => from + index * plans[plan].days);
      const refused = whyPeriodsNotAdded(model, plan, starts);
      if (refused !== undefined) {
        expect(problem.parse(response.body).code).toBe(refused);
        return;
      }
      const ids = z.object({ billingCycleIds: z.array(z.string()) }).parse(response.body).billingCycleIds;
      expect(ids).toHaveLength(periods);
      for (const [index, id] of ids.entries()) added(model, id, plan, starts[index] ?? 0);
    },
  );

const payable = (model: Model) =>
  [...new Set(everyCycle(model).flatMap((cycle) => cycle.orders))].filter((each) => !each.isTakenAtProvider);

/** At the provider only: the portal does not know of it yet. */
const pay = (which: number, outcome: 'success' | 'pending' | 'card_declined', isWrongAmount: boolean) =>
  command(
    `pay ${which}: ${outcome}${isWrongAmount ? ', wrong amount' : ''}`,
    (model) => payable(model).length > 0,
    async (model, { money }) => {
      const chosen = at(payable(model), which);
      if (isWrongAmount) await money.behave({ ...quiet, captureWrongAmountPaise: 777 });
      const method = outcome === 'card_declined' ? 'card' : 'upi';
      const response = await money.pay(chosen.id, { method, outcome });
      if (isWrongAmount) await money.behave(quiet);
      const failed = z.object({ error: z.object({ metadata: z.object({ payment_id: z.string() }) }) });
      const refused = failed.safeParse(response);
      const id = refused.success ? refused.data.error.metadata.payment_id : String(response['razorpay_payment_id']);
      const atProvider = refused.success ? 'failed' : outcome === 'success' ? 'captured' : 'created';
      if (atProvider === 'captured') chosen.isTakenAtProvider = true;
      const paise = isWrongAmount ? 777 : priceOf(chosen.cycles);
      model.payments.push({
        id,
        order: chosen,
        paise,
        atProvider,
        knownState: 'nothing',
        disputed: false,
        lostPaise: 0,
        unpaidPaise: 0,
        bankPaise: 0,
      });
    },
  );

const late = (model: Model) =>
  model.payments.filter((each) => each.atProvider !== 'captured' && !each.order.isTakenAtProvider);

const captureLate = (which: number) =>
  command(
    `capture late ${which}`,
    (model) => late(model).length > 0,
    async (model, { money }) => {
      const payment = at(late(model), which);
      await money.standin('POST', `/standin/payments/${payment.id}/authorize`, {});
      payment.atProvider = 'captured';
      payment.order.isTakenAtProvider = true;
    },
  );

const settleFrom = (which: number, from: 'browser' | 'webhook' | 'reconciler') =>
  command(
    `settle ${which} from the ${from}`,
    (model) => model.payments.length > 0,
    async (model, { money, customer }) => {
      const payment = at(model.payments, which);
      const before = payment.knownState;
      if (from === 'browser') {
        const response = await money.send(
          verifyPayment,
          { body: browserReport(payment.order.id, payment.id) },
          customer.token,
        );
        portalReads(model, payment);
        const says = { nothing: 422, created: 'pending', failed: 422, cycle: 'success', refund: 'refunded' }[
          payment.knownState
        ];
        if (typeof says === 'number') expect(response.status).toBe(says);
        else expect(response.body).toMatchObject({ status: says });
      } else if (from === 'webhook') {
        await money.deliver(`payment.${payment.atProvider}`, {
          payment: { entity: { id: payment.id, status: payment.atProvider, heardBefore: before } },
        });
        await money.handleWebhooks();
        portalReads(model, payment);
      } else {
        const { id } = await money.portal.db
          .selectFrom('payment_orders')
          .select('id')
          .where('provider_order_id', '=', payment.order.id)
          .executeTakeFirstOrThrow();
        await reconcileOrder(money.portal, id);
        // The portal reads all payments of the order, newest first, as the provider lists them.
        for (const each of model.payments.toReversed()) if (each.order === payment.order) portalReads(model, each);
      }
    },
  );

/** Orders an unpaid cycle, pays and settles it, so that many plans are paid. */
const buy = (which: number, source: 'browser' | 'webhook' | 'reconciler') =>
  command(
    `pay for cycle ${which} at once`,
    (model) => model.cycles.some(({ status }) => status === 'PAYMENT_PENDING'),
    async (model, real) => {
      const cycle = at(
        model.cycles.filter(({ status }) => status === 'PAYMENT_PENDING'),
        which,
      );
      await order(model.cycles.indexOf(cycle)).run(model, real);
      const place = payable(model).findIndex(({ isClosed, cycles }) => !isClosed && cycles.includes(cycle));
      // Its order may be paid already, without the portal knowing.
      if (place === -1) return;
      await pay(place, 'success', false).run(model, real);
      await settleFrom(model.payments.length - 1, source).run(model, real);
    },
  );

const end = (which: number) =>
  command(
    `end cycle ${which}`,
    (model) => model.cycles.length > 0,
    async (model, { money, customer }) => {
      const cycle = at(model.cycles, which);
      const params = { activationId: model.activationId ?? '', billingCycleId: cycle.id };
      const response = await money.send(endCycle, { params }, customer.token);
      const kind = ended(model, cycle);
      if (kind === undefined) expect(problem.parse(response.body).code).toBe('cannot_deactivate');
      else expect(response.body).toMatchObject({ kind });
    },
  );

const remove = () =>
  command(
    'delete the activation',
    (model) => model.activationId !== undefined,
    async (model, { money, customer }) => {
      const params = { activationId: model.activationId ?? '' };
      expect((await money.send(deleteActivation, { params }, customer.token)).status).toBe(200);
      deleted(model);
    },
  );

/** Never back: the product's clock doesn't return to an earlier day. `clock-jumps.test.ts` plays machines whose clocks do. */
const wait = (days: number) =>
  command(
    `wait ${days} days`,
    () => true,
    async (model, { money, firstDay }) => {
      money.moveClock(days * dayMs);
      await money.standin('POST', '/standin/clock', { advanceMs: days * dayMs });
      // A pending payment fails at the provider after ten minutes.
      if (days > 0) for (const each of model.payments) if (each.atProvider === 'created') each.atProvider = 'failed';
      model.today += days;
      expect(dayOf(money.portal.clock())).toBe(addDays(firstDay, model.today));
    },
  );

const restart = command(
  'restart the portal',
  () => true,
  async (_model, { money }) => money.restart(),
);

const index = fc.nat(11);
const plan = fc.constantFrom<ModelPlan>('starter', 'growth', 'growth-90', 'free', 'trial');
const paid = fc.constantFrom<ModelPlan>('starter', 'growth', 'starter', 'growth-90');
const from = fc.constantFrom('browser', 'webhook', 'reconciler');
const settles = fc.tuple(index, from).map(([which, source]) => settleFrom(which, source));
const orders = index.map(order);
const pays = fc
  .tuple(index, fc.constantFrom('success', 'success', 'success', 'pending', 'card_declined'), fc.nat(9))
  .map(([which, outcome, luck]) => pay(which, outcome, luck === 0));

const share = fc.constantFrom(10, 50, 100);
const learns = fc.constantFrom('webhook', 'list');

/** All commands; frequent ones are listed several times. */
export const commandKinds = [
  plan.map(activate),
  fc
    .tuple(plan, fc.integer({ min: -1, max: 70 }), fc.constantFrom(1, 1, 1, 2))
    .map(([name, days, count]) => add(name, days, count)),
  fc.tuple(paid, fc.constantFrom(0, 1, 30, 60)).map(([name, days]) => add(name, days)),
  fc
    .tuple(paid, fc.constantFrom(0, 1, 30), fc.integer({ min: 2, max: 4 }))
    .map(([name, days, count]) => add(name, days, count)),
  orders,
  orders,
  fc.tuple(index, fc.integer({ min: 1, max: 4 })).map(([first, count]) => orderTogether(first, count)),
  fc.tuple(index, fc.integer({ min: 2, max: 4 })).map(([first, count]) => orderTogether(first, count)),
  pays,
  pays,
  index.map(captureLate),
  settles,
  settles,
  fc.tuple(index, from).map(([which, source]) => buy(which, source)),
  fc.tuple(index, from).map(([which, source]) => buy(which, source)),
  index.map(end),
  plan.map(switchTo),
  paid.map(switchTo),
  ...packKinds,
  ...linkKinds,
  fc.tuple(index, fc.constantFrom(2, 7, 7, 11)).map(([which, percent]) => declare(which, percent)),
  fc.tuple(index, fc.constantFrom(2, 7)).map(([which, percent]) => declare(which, percent)),
  fc.tuple(index, fc.nat(3)).map(([which, luck]) => decide(which, luck > 0)),
  fc.tuple(index, fc.nat(3)).map(([which, luck]) => decide(which, luck > 0)),
  fc.tuple(index, fc.constantFrom(10, 50, 100, 101)).map(([which, percent]) => refundByOperator(which, percent)),
  fc.constantFrom(0, 0, 1, 30, -1).map(grantPlan),
  index.map(withdrawPlan),
  fc.tuple(index, from).map(([which, source]) => whileBlocked(settleFrom(which, source))),
  fc.constant(settleAtProvider()),
  fc.nat(7).map((luck) => (luck === 0 ? remove() : carryOut(luck > 2))),
  fc.constantFrom(0, 1, 1, 7, 29, 30, 45).map(wait),
  fc.tuple(index, share, learns).map(([which, percent, source]) => refundElsewhere(which, percent, source)),
  fc.tuple(index, share, learns).map(([which, percent, source]) => openDispute(which, percent, source)),
  fc
    .tuple(index, fc.constantFrom('under_review', 'won', 'lost', 'lost', 'closed'), learns)
    .map(([which, status, source]) => decideDispute(which, status, source)),
  fc.tuple(index, stepsBack).map(([which, steps]) => backAndForth(which, steps)),
  fc.tuple(index, stepsBack).map(([which, steps]) => backAndForth(which, steps)),
  fc.nat(3).map((luck) => (luck === 0 ? restart : carryOut(luck > 1))),
];
