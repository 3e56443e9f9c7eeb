import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { makePayLink, orderByPayLink, readPayLink } from '#shared/contract/pay-links.ts';
import { at, command, problem } from './model-command.ts';
import { isLate, type Model, type ModelCycle } from './money-model.ts';
import { expectOrder, inOrderOfDays, unpaid } from './order-commands.ts';

interface ModelLink {
  text: string;
  activationId: string;
  cycles: ModelCycle[];
  isEnded: boolean;
}

/** The pay links that the customer of a model has given out. */
const links = new WeakMap<Model, ModelLink[]>();
const linksOf = (model: Model): ModelLink[] => links.get(model) ?? [];

const madeReply = z.object({ url: z.string() });
/** What stands behind the `#` of a link that was given out. */
export const textOfLink = (reply: unknown): string => new URL(madeReply.parse(reply).url).hash.slice(1);

/** Gives out a link; `ends`: those so far are withdrawn. */
const make = (first: number, count: number, ends: boolean) =>
  command(
    `make a link to ${count} cycles from ${first}${ends ? ', and withdraw those before' : ''}`,
    (model) => unpaid(model).length > 0,
    async (model, { money, customer }) => {
      const all = unpaid(model);
      const start = first % all.length;
      const cycles = inOrderOfDays(all.slice(start, start + count));
      const activationId = model.activationId ?? '';
      const body = { billingCycleIds: cycles.map(({ id }) => id), endsEarlier: ends };
      const response = await money.send(makePayLink, { params: { activationId }, body }, customer.token);
      const text = textOfLink(response.body);
      if (ends) for (const link of linksOf(model)) link.isEnded ||= link.activationId === activationId;
      links.set(model, [...linksOf(model), { text, activationId, cycles, isEnded: false }]);
    },
  );

const isPaid = ({ status }: ModelCycle) => status !== 'PAYMENT_PENDING' && status !== 'REMOVED';
const waits = ({ status }: ModelCycle) => status === 'PAYMENT_PENDING';

/** Why a link makes no order, in the order in which the portal looks. */
function whyNot(model: Model, { activationId, cycles, isEnded }: ModelLink): string | undefined {
  if (activationId !== model.activationId) return 'not_found';
  if (isEnded) return 'link_expired';
  if (!cycles.every(waits)) return 'nothing_to_pay';
  // A switch or a pack is paid alone.
  if (cycles.length > 1 && cycles.some(({ replaces, adds }) => replaces ?? adds)) return 'invalid_request';
  return cycles.some((cycle) => isLate(model, cycle)) ? 'no_plan_running' : undefined;
}

/** Somebody without an account opens a link, perhaps an old one, and its checkout; `pay` then pays the order. */
const orderBy = (which: number) =>
  command(
    `order by link ${which}`,
    (model) => linksOf(model).length > 0,
    async (model, { money }) => {
      const link = at(linksOf(model), which);
      const body = { link: link.text };
      const { state } = await money.ask(readPayLink, { body });
      const refused = whyNot(model, link);
      if (link.cycles.every(isPaid)) expect(state).toBe('PAID');
      else if (link.isEnded) expect(state).toBe('WITHDRAWN');
      else if (refused === 'invalid_request') expect(['UNAVAILABLE', 'CONFIRMING']).toContain(state);
      else if (refused === 'no_plan_running') expect(['REPLACED', 'CONFIRMING']).toContain(state);
      else if (refused !== undefined) expect(state).toBe('REPLACED');
      else expect(['OPEN', 'CONFIRMING']).toContain(state);
      const response = await money.send(orderByPayLink, { body });
      if (refused !== undefined) expect(problem.parse(response.body).code).toBe(refused);
      else expectOrder(inOrderOfDays(link.cycles), response.body);
    },
  );

const number = fc.nat(20);

export const linkKinds = [
  fc
    .tuple(number, fc.integer({ min: 1, max: 3 }), fc.boolean())
    .map(([first, count, ends]) => make(first, count, ends)),
  number.map(orderBy),
];
