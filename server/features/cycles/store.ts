import type { Selectable } from 'kysely';
import type { AccessChange } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { sumsOf } from '#shared/database/cycle-sums.ts';
import { countRows } from '#shared/database/expressions.ts';
import type { Tables } from '#shared/database/tables.ts';
import { accessStatuses, type CycleDates, grantsAccess, type StoredStatus } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { untouchedPacks } from '#shared/domain/pack.ts';
import type { PlanTerms } from '#shared/domain/plan.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { newId } from '#server/crypto/ids.ts';
import { canPayItsOrder } from '#server/features/bank-transfers/bank-transfers.ts';
import type { Owner } from '#server/portal.ts';

export type CycleRow = Selectable<Tables['cycles']>;
/** A cycle, with the time of its payment, how much of its payment is refunded, how much of that was deducted at source or tax no longer due, units that operators added, and units taken. */
export type EndableCycle = CycleRow & {
  captured_at: Date | null;
  is_own_transfer: unknown;
  due_paise: number;
  owed_paise: number;
  given_back_paise: number;
  deducted_paise: number;
  unproved_paise: number;
  reversed_paise: number;
  excess_tax_paise: number;
  raised_units: number;
  units_taken: number;
};
/** What ending a cycle does to a pack of it. */
export interface EndablePack {
  row: EndableCycle;
  /** Paid, and no unit of it was taken. */
  isUntouched: boolean;
}
export type PaymentRow = Selectable<Tables['payments']> & {
  /** Of a bank transfer: it is what its order is over, with the tax (TDS) that may have been deducted. */
  can_pay: unknown;
};

/** A cycle with its packs that are not removed, in the order in which they were paid. */
export interface CycleWithPacks {
  packs: EndablePack[];
  /** Units that its paid packs and raises add to its quotas. */
  pack_units: number;
}

/** A cycle with its payment and the number of its invoice, or of its receipt voucher until it starts. */
export interface CycleRecord extends EndableCycle, CycleWithPacks {
  payments: PaymentRow[];
  packs: (EndablePack & { payments: PaymentRow[] })[];
  invoiceNumber: string | null;
  /** Taxable value according to that document. */
  taxablePaise: number | null;
  /** What an operator set for its activation, whatever its terms say. */
  calls_per_second: number | null;
  /** The purchase order that its live order names. */
  orderedName: string | null;
  orderedNameDate: Day | null;
  /** Of its bill, where it is paid later. */
  billDueOn: Day | null;
  /** From when on its calls are refused; null where nothing is owed of it. */
  planStopsOn: Day | null;
}

/** The owner's cycles, of one activation or all, with their payments and invoice numbers; packs only with the cycles that they add to. */
export async function selectCycles(owner: Owner, db: Db | Tx, activationId?: string): Promise<CycleRecord[]> {
  return (await selectCyclesAndPacks(owner, db, activationId)).filter((record) => record.adds_to === null);
}

/** The same with packs as records of their own. */
export async function selectCyclesAndPacks(owner: Owner, db: Db | Tx, activationId?: string): Promise<CycleRecord[]> {
  let query = db
    .selectFrom('cycles')
    .leftJoin('current_papers', 'current_papers.cycle_id', 'cycles.id')
    .selectAll('cycles')
    .innerJoin('activations', 'activations.id', 'cycles.activation_id')
    .select('activations.calls_per_second')
    .leftJoin('documents', 'documents.id', 'current_papers.document_id')
    .leftJoin('order_cycles', (join) =>
      join
        .onRef('order_cycles.cycle_id', '=', 'cycles.id')
        .on('order_cycles.live', '=', true)
        .on('order_cycles.of_bill', '=', false),
    )
    .leftJoin('payment_orders', 'payment_orders.id', 'order_cycles.order_id')
    .leftJoin('credit_bills', 'credit_bills.cycle_id', 'cycles.id')
    .select('credit_bills.due_on as billDueOn')
    .select((of) => of.fn<Day | null>('plan_stops_on', [of.table('cycles')]).as('planStopsOn'))
    .select(sumsOf)
    .select(['current_papers.number as invoiceNumber', 'documents.taxable_paise as taxablePaise'])
    .select(['payment_orders.purchase_order as orderedName', 'payment_orders.purchase_order_date as orderedNameDate'])
    .where('cycles.customer_id', '=', owner.customerId);
  if (activationId !== undefined) query = query.where('cycles.activation_id', '=', activationId);
  const cycles = await query.execute();
  if (cycles.length === 0) return [];
  const payments = await db
    .selectFrom('payments')
    .innerJoin('order_cycles', 'order_cycles.order_id', 'payments.order_id')
    .innerJoin('payment_orders', 'payment_orders.id', 'payments.order_id')
    .leftJoin('bank_transfers', 'bank_transfers.payment_id', 'payments.provider_payment_id')
    .selectAll('payments')
    .select(['order_cycles.cycle_id as covered_cycle_id', canPayItsOrder.as('can_pay')])
    .where('payments.customer_id', '=', owner.customerId)
    // A promise to pay later is none.
    .where('payments.method', '<>', 'terms')
    .where(
      'order_cycles.cycle_id',
      'in',
      cycles.map((cycle) => cycle.id),
    )
    .orderBy('payments.created_at', 'desc')
    .execute();
  const byCycle = groupBy(payments, (payment) => payment.covered_cycle_id);
  const packed = await withPacks(db, cycles);
  const paymentsOf = (id: string): PaymentRow[] => byCycle.get(id) ?? [];
  return packed.map((cycle) => ({
    ...cycle,
    payments: paymentsOf(cycle.id),
    packs: cycle.packs.map((pack) => ({ ...pack, payments: paymentsOf(pack.row.id) })),
  }));
}

/** Adds their packs to cycles. */
async function withPacks<C extends EndableCycle>(db: Db | Tx, cycles: readonly C[]): Promise<(C & CycleWithPacks)[]> {
  const ids = cycles.map(({ id }) => id);
  const rows = await db
    .selectFrom('cycles')
    .selectAll()
    .select((cycle) => [...sumsOf(cycle), cycle.fn<number>('pack_units_taken', ['adds_to']).as('of_packs_taken')])
    .where('adds_to', 'in', ids)
    .where('status', 'in', ['PAYMENT_PENDING', 'PAID'])
    .orderBy('paid_at')
    .orderBy('id')
    .execute();
  const byCycle = groupBy(rows, ({ adds_to: id }) => id);
  return cycles.map((cycle) => {
    const packs = byCycle.get(cycle.id) ?? [];
    const paid = packs.filter(({ status }) => status === 'PAID').map((row) => ({ row, units: row.monthly_quota }));
    const untouched = new Set(untouchedPacks(paid, packs[0]?.of_packs_taken ?? 0).map(({ row }) => row.id));
    return {
      ...cycle,
      packs: packs.map((row) => ({ row, isUntouched: untouched.has(row.id) })),
      pack_units: paid.reduce((sum, { units }) => sum + units, cycle.raised_units),
    };
  });
}

export async function selectCycle(
  owner: Owner,
  db: Db | Tx,
  activationId: string,
  cycleId: string,
): Promise<(EndableCycle & CycleWithPacks) | undefined> {
  const cycle = await db
    .selectFrom('cycles')
    .selectAll()
    .select(sumsOf)
    .where('id', '=', cycleId)
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirst();
  return cycle && (await withPacks(db, [cycle]))[0];
}

/** The days on which an activation already has access. */
export async function selectTakenDays(owner: Owner, tx: Db | Tx, activationId: string): Promise<CycleDates[]> {
  const rows = await tx
    .selectFrom('cycles')
    .select(['from_date', 'to_date'])
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .where('status', 'in', accessStatuses)
    .where('adds_to', 'is', null)
    .execute();
  return rows.map((row) => ({ fromDate: row.from_date, toDate: row.to_date }));
}

/** The subscriptions of an activation that wait for their payment. Switches and packs wait one at a time. */
export async function countUnpaid(owner: Owner, tx: Tx, activationId: string): Promise<number> {
  const { unpaid } = await tx
    .selectFrom('cycles')
    .select(countRows().as('unpaid'))
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .where('status', '=', 'PAYMENT_PENDING')
    .where('replaces', 'is', null)
    .where('adds_to', 'is', null)
    .executeTakeFirstOrThrow();
  return unpaid;
}

export async function insertCycle(
  owner: Owner,
  change: AccessChange,
  cycle: {
    activationId: string;
    serviceId: string;
    status: StoredStatus;
    dates: CycleDates;
    plan: PlanTerms;
    pricePaise: number;
    /** The cycle that it replaces, when it is a switch. */
    replaces?: string;
    /** The cycle whose quota it adds to, when it is a pack. */
    addsTo?: string;
    /** Why an operator granted it, when it was not bought. */
    grantedReason?: string;
    now: Date;
  },
): Promise<string> {
  const { plan } = cycle;
  if (grantsAccess(cycle.status)) change.announce(cycle.activationId);
  const { id } = await change.tx
    .insertInto('cycles')
    .values({
      id: newId('CYC'),
      activation_id: cycle.activationId,
      customer_id: owner.customerId,
      service_id: cycle.serviceId,
      status: cycle.status,
      from_date: cycle.dates.fromDate,
      to_date: cycle.dates.toDate,
      plan: JSON.stringify(plan),
      tenure: plan.tenure,
      price_paise: cycle.pricePaise,
      daily_quota: plan.dailyQuota,
      monthly_quota: plan.monthlyQuota,
      rps: plan.rps,
      created_at: cycle.now,
      paid_at: null,
      ended_at: null,
      replaces: cycle.replaces ?? null,
      adds_to: cycle.addsTo ?? null,
      granted_reason: cycle.grantedReason ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Updates the price of a cycle that waits for its payment. */
export async function updateCyclePrice(owner: Owner, tx: Tx, cycleId: string, pricePaise: number): Promise<void> {
  await tx
    .updateTable('cycles')
    .set({ price_paise: pricePaise })
    .where('id', '=', cycleId)
    .where('customer_id', '=', owner.customerId)
    .where('status', '=', 'PAYMENT_PENDING')
    .execute();
}

export async function updateCyclePaid(
  owner: Owner,
  change: AccessChange,
  cycle: { id: string; activation_id: string },
  dates: CycleDates,
  now: Date,
): Promise<void> {
  change.announce(cycle.activation_id);
  await change.tx
    .updateTable('cycles')
    .set({ status: 'PAID', from_date: dates.fromDate, to_date: dates.toDate, paid_at: now })
    .where('id', '=', cycle.id)
    .where('activation_id', '=', cycle.activation_id)
    .where('customer_id', '=', owner.customerId)
    .execute();
}

/** The payment of a cycle, which may have paid for others too. */
export function selectPaymentOfCycle(owner: Owner, tx: Db | Tx, cycleId: string) {
  return tx
    .selectFrom('cycle_payments')
    .select(['provider_payment_id', 'currency'])
    .where('cycle_id', '=', cycleId)
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirst();
}
