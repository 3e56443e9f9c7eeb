import { expect } from 'vitest';
import { declareTds } from '#shared/contract/tds.ts';
import { addDays } from '#shared/domain/day.ts';
import { invoiceStartedCycles } from '#server/features/refunds/refunds.ts';
import { acceptTds, refuseTds } from '#server/features/tds/tds.ts';
import { z } from 'zod';
import { at, command, problem, type Real } from './model-command.ts';
import { everyCycle, giveBack, invoiced, leftOfPayment, type Model, type ModelCycle, plans } from './money-model.ts';
import { tdsInput } from './test-tds.ts';
import { namesOfRefunds } from './named-refunds.ts';

/** Tax years have the same quarters as calendar years. */
function quarterAt({ firstDay }: Real, day: number): number {
  const [year = 0, month = 1] = addDays(firstDay, day).split('-').map(Number);
  return year * 4 + Math.floor((month - 1) / 3);
}

/**
 * TDS is at most 10 % of the value without GST. The rate of GST is between 5 % and 28 %: up to the first share of an invoice it is allowed,
 * above the second it is not.
 */
const [isAllowedUpTo, isTooMuchAbove] = [0.077, 0.096];

/** The limit is rounded up to a rupee, which on a smaller invoice is as much as what lies between the two shares. */
const leastInvoicePaise = 6_400;

/** A share of an invoice, at least a rupee. */
function tdsOf(totalPaise: number, percent: number): number {
  const paise = Math.max(100, Math.floor((totalPaise * percent) / 100));
  const isUnsure = paise > isAllowedUpTo * totalPaise && paise <= isTooMuchAbove * totalPaise;
  return isUnsure ? 2 * paise : paise;
}

/** A plan ends when nothing is left of its payment, which no claim does. */
const wouldEnd = (cycle: ModelCycle, paise: number): boolean =>
  cycle.status === 'PAID' && paise >= leftOfPayment(cycle);

function whyNotDeclared(model: Model, real: Real, cycle: ModelCycle, paise: number): string | undefined {
  if (!real.isBusiness || cycle.invoicedPaise === 0) return 'tds_not_declarable';
  if (paise > isAllowedUpTo * cycle.invoicedPaise || wouldEnd(cycle, paise)) return 'tds_too_much';
  if (quarterAt(real, model.today) < quarterAt(real, cycle.paidOn)) return 'tds_wrong_quarter';
  return cycle.claim === undefined ? undefined : 'tds_not_declarable';
}

const claimed = z.object({ claim: z.object({ id: z.string() }) });

/** The invoices of started plans are issued, then the customer declares TDS of a share of one. */
export const declare = (which: number, percent: 2 | 7 | 11) =>
  command(
    `declare TDS of ${percent} % of cycle ${which}`,
    (model) => everyCycle(model).length > 0,
    async (model, real) => {
      const { money, customer } = real;
      await invoiceStartedCycles(money.portal);
      for (const each of everyCycle(model)) invoiced(model, each);
      const started = everyCycle(model).filter(({ invoicedPaise }) => invoicedPaise > 0);
      // Mostly one that has an invoice.
      const cycle = at(which % 4 === 0 || started.length === 0 ? everyCycle(model) : started, which);
      if (cycle.invoicedPaise > 0 && cycle.invoicedPaise < leastInvoicePaise) return;
      const paise = tdsOf(cycle.invoicedPaise || plans[cycle.plan].paise, percent);
      const response = await money.send(declareTds, tdsInput(money, cycle.id, paise), customer.token);
      const refused = whyNotDeclared(model, real, cycle, paise);
      if (refused === undefined) cycle.claim = { id: claimed.parse(response.body).claim.id, paise, isWaiting: true };
      else expect(problem.parse(response.body).code).toBe(refused);
    },
  );

const waiting = (model: Model) =>
  everyCycle(model).flatMap((cycle) => (cycle.claim?.isWaiting ? [{ cycle, claim: cycle.claim }] : []));

const cause = { actor: 'test', reason: 'Compared with Form 26AS' };

/** The operator decides a claim. */
export const decide = (which: number, accepts: boolean) =>
  command(
    `${accepts ? 'accept' : 'refuse'} TDS claim ${which}`,
    (model) => waiting(model).length > 0,
    async (model, { money }) => {
      const { cycle, claim } = at(waiting(model), which);
      if (!accepts) {
        await refuseTds(money.portal, claim.id, cause);
        delete cycle.claim;
        return;
      }
      if (wouldEnd(cycle, claim.paise)) {
        await expect(acceptTds(money.portal, claim.id, cause)).rejects.toThrow('of this payment is left');
        return;
      }
      const named = await namesOfRefunds(money.portal.db, cycle.id, claim.paise);
      await acceptTds(money.portal, claim.id, { ...cause, reason: `${cause.reason}${named}` });
      claim.isWaiting = false;
      cycle.deductedPaise = claim.paise;
      giveBack(model, cycle, claim.paise);
      // The price stays as it is on the invoice.
      model.papersPaise -= claim.paise;
    },
  );
