import type { payLinkCalls } from '#shared/contract/operator/pay-links.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { rupees } from '#shared/domain/money.ts';
import { leastDuePaise } from '#shared/domain/pay-later.ts';
import { maxPeriods } from '#shared/domain/payment.ts';
import { readPortalUrl } from '#server/document-settings.ts';
import { recordAction } from '#server/audit-log/audit-log.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import type { Handlers, OperatorSource } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { endLinks, payLinkPathOf, selectLinksEnded } from './link.ts';
import { worthOfLink } from './state.ts';

export const payLinkHandlers: Handlers<typeof payLinkCalls> = {
  findPayLink: { read: (context, { id }) => findPayLink(context, id.trim()) },
  endPayLinks: {
    preview: ({ db }, { activationId }) => describe(db, activationId.trim()),
    perform: ({ db }, { activationId }, cause) =>
      transaction(db, async (tx) => {
        const links = await describe(tx, activationId.trim());
        const { customerId, activationId: target, productId } = links;
        await lockActivation({ customerId }, tx, target, true);
        await endLinks(tx, target);
        await recordAction(tx, { ...cause, action: 'pay-links.end', target, customerId, effect: { productId } });
        return links;
      }),
  },
};

/** Unpaid cycles, first those of plans: a switch and a pack are paid alone. */
const selectUnpaid = (db: Db | Tx, id: string) =>
  db
    .selectFrom('cycles')
    .innerJoin('activations', 'activations.id', 'cycles.activation_id')
    .select(['cycles.id', 'cycles.customer_id', 'cycles.activation_id', 'cycles.plan', 'cycles.price_paise'])
    .select(['cycles.from_date', 'cycles.to_date', 'cycles.replaces', 'cycles.adds_to'])
    .where('activations.deleted_at', 'is', null)
    .where('cycles.status', '=', 'PAYMENT_PENDING')
    .where((cycle) => cycle.or([cycle('cycles.id', '=', id), cycle('cycles.activation_id', '=', id)]))
    .orderBy('cycles.from_date')
    .orderBy('cycles.created_at')
    .execute();

/** Bills of what is paid later, the longest due first, also of a deleted activation. Nobody pays for an erased customer. */
const selectDue = (db: Db | Tx, id: string) =>
  db
    .selectFrom('cycles')
    .innerJoin('credit_bills', 'credit_bills.cycle_id', 'cycles.id')
    .select(['cycles.id', 'cycles.customer_id', 'cycles.activation_id', 'cycles.plan'])
    .select(['credit_bills.owed_paise as price_paise'])
    .select(['cycles.from_date', 'cycles.to_date', 'cycles.replaces', 'cycles.adds_to'])
    .innerJoin('customers', 'customers.id', 'cycles.customer_id')
    .where('customers.erased_at', 'is', null)
    .where('credit_bills.owed_paise', '>=', leastDuePaise)
    .where((cycle) => cycle.or([cycle('cycles.id', '=', id), cycle('cycles.activation_id', '=', id)]))
    .orderBy('credit_bills.due_on')
    .execute();

async function findPayLink({ db, clock }: OperatorSource, id: string) {
  // Each bill is paid alone.
  const due = (await selectDue(db, id)).slice(0, 1);
  const unpaid = due.length > 0 ? due : await selectUnpaid(db, id);
  const [first] = unpaid;
  if (!first)
    throw new OperatorRefusal(
      `Nothing of ${id} waits for a payment. Name an unpaid plan or one with a bill, or an activation that has one; see: octroi customers show <customer>`,
      'not_found',
    );
  const together = unpaid.filter(({ replaces, adds_to: addsTo }) => replaces === null && addsTo === null);
  const paid = together.length > 0 ? together.slice(0, maxPeriods) : [first];
  const path = await payLinkPathOf(
    db,
    first.activation_id,
    paid.map((cycle) => cycle.id),
  );
  const { customer_id: customerId, activation_id: activationId } = first;
  const { state } = await db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      const link = { owner: { customerId }, activationId, cycleIds: paid.map((cycle) => cycle.id) };
      return worthOfLink({ clock }, tx, { ...link, number: await selectLinksEnded(tx, activationId) });
    });
  return {
    customerId,
    activationId,
    state,
    url: (await readPortalUrl(db)) + path,
    plans: paid.map((cycle) => ({
      cycleId: cycle.id,
      planName: cycle.plan.name,
      fromDate: cycle.from_date,
      toDate: cycle.to_date,
      price: rupees(cycle.price_paise),
    })),
  };
}

async function describe(db: Db | Tx, activationId: string) {
  const activation = await db
    .selectFrom('activations')
    .select(['id', 'customer_id', 'service_id'])
    .where('id', '=', activationId)
    .executeTakeFirst();
  if (!activation) throw new OperatorRefusal(`There is no activation ${activationId}.`, 'not_found');
  const unpaid = [...(await selectUnpaid(db, activationId)), ...(await selectDue(db, activationId))];
  return {
    customerId: activation.customer_id,
    activationId: activation.id,
    productId: activation.service_id,
    unpaid: unpaid.length,
  };
}
