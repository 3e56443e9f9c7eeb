import { expect } from 'vitest';
import { z } from 'zod';
import { createOrder, createOrderOfPeriods } from '#shared/contract/payments.ts';
import { at, command, problem } from './model-command.ts';
import { isLate, type Model, type ModelCycle, ordered, priceOf } from './money-model.ts';

export const order = (which: number) =>
  command(
    `order cycle ${which}`,
    (model) => model.cycles.length > 0,
    async (model, { money, customer }) => {
      const cycle = at(model.cycles, which);
      const response = await money.send(createOrder, { params: { id: cycle.id } }, customer.token);
      if (cycle.status !== 'PAYMENT_PENDING') {
        expect(problem.parse(response.body).code).toBe('nothing_to_pay');
        return;
      }
      if (isLate(model, cycle)) {
        expect(problem.parse(response.body).code).toBe('no_plan_running');
        return;
      }
      expectOrder([cycle], response.body);
    },
  );

export const unpaid = (model: Model) => model.cycles.filter((cycle) => cycle.status === 'PAYMENT_PENDING');

/** As the portal orders them: those of one day by when they were added. */
export const inOrderOfDays = (cycles: readonly ModelCycle[]): ModelCycle[] =>
  cycles.toSorted((a, b) => a.from - b.from || a.addedOn - b.addedOn);

export const orderTogether = (first: number, count: number) =>
  command(
    `order ${count} cycles from ${first} together`,
    (model) => unpaid(model).length > 1,
    async (model, { money, customer }) => {
      const all = unpaid(model);
      const start = first % all.length;
      const cycles = inOrderOfDays(all.slice(start, start + count));
      const params = { activationId: model.activationId ?? '' };
      const body = { billingCycleIds: cycles.map((cycle) => cycle.id) };
      const response = await money.send(createOrderOfPeriods, { params, body }, customer.token);
      // A switch or a pack is paid alone.
      if (cycles.length > 1 && cycles.some(({ replaces, adds }) => replaces ?? adds)) {
        expect(problem.parse(response.body).code).toBe('invalid_request');
        return;
      }
      if (cycles.some((cycle) => isLate(model, cycle))) {
        expect(problem.parse(response.body).code).toBe('no_plan_running');
        return;
      }
      expectOrder(cycles, response.body);
    },
  );

export function expectOrder(cycles: ModelCycle[], reply: unknown): void {
  const { orderId, amount } = z.object({ orderId: z.string(), amount: z.number() }).parse(reply);
  expect(Math.round(amount * 100)).toBe(priceOf(cycles));
  const known = cycles.flatMap((cycle) => cycle.orders.map((each) => each.id));
  const { live } = ordered(cycles, orderId);
  if (live) expect(orderId).toBe(live.id);
  else expect(known).not.toContain(orderId);
}
