import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import type { creditCalls } from '#shared/contract/operator/credit.ts';
import { transaction } from '#shared/database/transaction.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import { type CreditTerms, msmedDays } from '#shared/domain/pay-later.ts';
import { recordAction } from '#server/audit-log/audit-log.ts';
import { isBusiness } from '#shared/contract/account.ts';
import { readProfile } from '#server/features/account/account.ts';
import type { Handlers, OperatorContext } from '#server/operator-handler.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { listOpenBills } from './credit.ts';
import { readStatement } from './statement.ts';
import { lockTerms, selectOpenBills, selectTerms, upsertTerms } from './store.ts';

type Terms = OperatorReply<'setCreditTerms'>;

const termsOf = ({ limit, days, stopAfterDays }: OperatorInput<'setCreditTerms'>): CreditTerms => ({
  limitPaise: toPaise(limit),
  days,
  stopAfterDays,
});

/** The terms as they are to be, beside those of before. Throws OperatorRefusal where they can't be. */
async function describe(
  context: Pick<OperatorContext, 'settings'>,
  db: Db | Tx,
  customerId: string,
  terms: CreditTerms,
): Promise<Terms> {
  const customer = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'erased_at'])
    .where('id', '=', customerId)
    .executeTakeFirst();
  if (!customer) throw noSuchCustomer(customerId);
  if (customer.erased_at !== null)
    throw new OperatorRefusal(`${customer.id} is erased: nothing is sold to it any more.`);
  const owner = { customerId };
  const profile = await readProfile(owner, db);
  if (terms.limitPaise > 0 && !(profile && isBusiness(profile)))
    throw new OperatorRefusal(`${customer.id} has no GSTIN in its business details. Only a business can pay later.`);
  const before = await selectTerms(owner, db);
  if (before && isSame(before, terms))
    throw new OperatorRefusal(`${customer.id} has these terms already.`, 'nothing_to_change');
  const open = await selectOpenBills(owner, db);
  return {
    customerId,
    name: customer.name,
    email: customer.email,
    limit: rupees(terms.limitPaise),
    days: terms.days,
    stopAfterDays: terms.stopAfterDays,
    before: before
      ? { limit: rupees(before.limitPaise), days: before.days, stopAfterDays: before.stopAfterDays }
      : null,
    due: rupees(open.reduce((sum, { duePaise }) => sum + duePaise, 0)),
    warning:
      context.settings.supplierUdyam !== undefined && terms.limitPaise > 0 && terms.days > msmedDays
        ? `You are registered as a micro, small or medium enterprise. A buyer must pay you within ${msmedDays} days, also where you agree to more (MSMED Act 2006, s. 15).`
        : null,
  };
}

const isSame = (a: CreditTerms, b: CreditTerms): boolean =>
  a.limitPaise === b.limitPaise && a.days === b.days && a.stopAfterDays === b.stopAfterDays;

export const creditHandlers: Handlers<typeof creditCalls> = {
  setCreditTerms: {
    preview: (context, input) => describe(context, context.db, input.customerId.trim(), termsOf(input)),
    perform: (context, input, cause) =>
      transaction(context.db, async (tx) => {
        const customerId = input.customerId.trim();
        const terms = termsOf(input);
        // What is being sold on them is sold on the terms of before, or of after.
        await lockTerms({ customerId }, tx);
        const described = await describe(context, tx, customerId, terms);
        await upsertTerms({ customerId }, tx, terms, new Date(context.clock()));
        const effect = { ...terms, before: described.before };
        const entry = { action: 'customers.terms', target: customerId, customerId, effect } as const;
        await recordAction(tx, { ...cause, ...entry, paise: terms.limitPaise });
        return described;
      }),
  },
  listBills: {
    read: async ({ db, clock }, { customerId }) => {
      const owner = customerId === undefined ? undefined : { customerId: customerId.trim() };
      const terms = owner && (await selectTerms(owner, db));
      return {
        terms: terms ? { limit: rupees(terms.limitPaise), days: terms.days, stopAfterDays: terms.stopAfterDays } : null,
        bills: await listOpenBills(db, dayOf(clock()), owner?.customerId),
      };
    },
  },
  readStatementOf: {
    read: ({ db }, { customerId, from, to }) => readStatement({ customerId: customerId.trim() }, db, { from, to }),
  },
};
