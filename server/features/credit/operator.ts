import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import type { creditCalls } from '#shared/contract/operator/credit.ts';
import { transaction } from '#shared/database/transaction.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import { type CreditTerms, firstDays, msmedDays, whyNotWrittenOff } from '#shared/domain/pay-later.ts';
import { recordAction } from '#server/audit-log/audit-log.ts';
import { isBusiness } from '#shared/contract/account.ts';
import { readProfile } from '#server/features/account/account.ts';
import type { Handlers, OperatorContext } from '#server/operator-handler.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { changeAccess } from '#shared/database/access.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { listOpenBills, onWire, readTerms } from './credit.ts';
import { readStatement } from './statement.ts';
import { announceUnpaid, lockTerms, selectOpenBills, selectTerms, upsertTerms } from './store.ts';
import { writeOff } from './write-off.ts';

type Terms = OperatorReply<'setCreditTerms'>;

/** Days that are not given stay as they are. */
const termsOf = (
  { limit, days, stopAfterDays }: OperatorInput<'setCreditTerms'>,
  before: CreditTerms = { limitPaise: 0, ...firstDays },
): CreditTerms => ({
  limitPaise: toPaise(limit),
  days: days ?? before.days,
  stopAfterDays: stopAfterDays ?? before.stopAfterDays,
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
    ...onWire(terms),
    before: before ? onWire(before) : null,
    due: rupees(open.reduce((sum, { duePaise }) => sum + duePaise, 0)),
    warning:
      context.settings.supplierUdyam !== undefined && terms.limitPaise > 0 && terms.days > msmedDays
        ? `You are registered as a micro, small or medium enterprise. A buyer must pay you within ${msmedDays} days, also where you agree to more (MSMED Act 2006, s. 15).`
        : null,
  };
}

const isSame = (a: CreditTerms, b: CreditTerms): boolean =>
  a.limitPaise === b.limitPaise && a.days === b.days && a.stopAfterDays === b.stopAfterDays;

/** The bill that is written off, with its customer. Throws OperatorRefusal where nothing can be. */
async function findWriteOff({ clock }: Pick<OperatorContext, 'clock'>, db: Db | Tx, sought: string) {
  const bill = await db
    .selectFrom('credit_bills')
    .innerJoin('cycles', 'cycles.id', 'credit_bills.cycle_id')
    .innerJoin('customers', 'customers.id', 'credit_bills.customer_id')
    .innerJoin('current_papers', 'current_papers.cycle_id', 'credit_bills.cycle_id')
    .selectAll('credit_bills')
    .select(['cycles.activation_id', 'customers.name', 'current_papers.number'])
    .where((of) => of.or([of('credit_bills.cycle_id', '=', sought), of('current_papers.number', '=', sought)]))
    .executeTakeFirst();
  if (!bill) throw new OperatorRefusal(`There is no bill for ${sought}. See: octroi customers bills`, 'not_found');
  const why = whyNotWrittenOff({ duePaise: bill.due_paise, stopsOn: bill.stops_on }, dayOf(clock()));
  if (why === 'NOTHING_DUE') throw new OperatorRefusal(`Nothing is due of ${bill.number}.`, 'nothing_to_change');
  if (why === 'NOT_STOPPED')
    throw new OperatorRefusal(
      `${bill.number} is written off from ${bill.stops_on} on, when its plan stops: until then its customer may still use and pay it.`,
    );
  const held = await db
    .selectFrom('payments')
    .select('provider_payment_id as id')
    .where('cycle_id', '=', bill.cycle_id)
    .where('use', '=', 'HELD')
    .executeTakeFirst();
  // It could only go back then: of what was written off nobody can say any more what may have been deducted.
  if (held)
    throw new OperatorRefusal(`A transfer is held for ${bill.number}. Answer about it first: octroi transfers list`);
  return {
    bill,
    shown: {
      customerId: bill.customer_id,
      customer: bill.name,
      billingCycleId: bill.cycle_id,
      invoice: bill.number,
      dueOn: bill.due_on,
      amount: rupees(bill.due_paise),
    },
  };
}

export const creditHandlers: Handlers<typeof creditCalls> = {
  setCreditTerms: {
    preview: async (context, input) => {
      const customerId = input.customerId.trim();
      return describe(context, context.db, customerId, termsOf(input, await selectTerms({ customerId }, context.db)));
    },
    perform: (context, input, cause) =>
      transaction(context.db, async (tx) => {
        const customerId = input.customerId.trim();
        // What is being sold on them is sold on the terms of before, or of after.
        const terms = termsOf(input, await lockTerms({ customerId }, tx));
        const described = await describe(context, tx, customerId, terms);
        await upsertTerms({ customerId }, tx, terms, new Date(context.clock()));
        const effect = { ...terms, before: described.before };
        const entry = { action: 'customers.terms', target: customerId, customerId, effect } as const;
        await recordAction(tx, { ...cause, ...entry, paise: terms.limitPaise });
        return described;
      }),
  },
  writeOffBill: {
    preview: async (context, { cycleId }) => (await findWriteOff(context, context.db, cycleId.trim())).shown,
    perform: async (context, { cycleId }, cause) => {
      const { result } = await changeAccess(context, async (change) => {
        const { tx } = change;
        const found = await findWriteOff(context, tx, cycleId.trim());
        const owner = { customerId: found.bill.customer_id };
        // What is being paid is paid before, or after.
        await lockActivation(owner, tx, found.bill.activation_id, true);
        const { bill, shown } = await findWriteOff(context, tx, cycleId.trim());
        // It stops no other plan any more.
        await announceUnpaid(owner, change);
        const entry = await writeOff(context, tx, bill);
        const effect = { paise: bill.due_paise, invoice: bill.number, entry };
        const about = { action: 'customers.write-off', target: bill.cycle_id, ...owner, effect } as const;
        await recordAction(tx, { ...cause, ...about, paise: bill.due_paise });
        return shown;
      });
      return result;
    },
  },
  listBills: {
    read: async ({ db, clock }, { customerId }) => {
      const owner = customerId === undefined ? undefined : { customerId: customerId.trim() };
      return {
        terms: owner ? await readTerms(owner, db) : null,
        bills: await listOpenBills(db, dayOf(clock()), owner?.customerId),
      };
    },
  },
  readStatementOf: {
    read: ({ db }, { customerId, from, to }) => readStatement({ customerId: customerId.trim() }, db, { from, to }),
  },
};
