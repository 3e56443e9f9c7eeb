import { sql } from 'kysely';
import { z } from 'zod';
import { accessStatuses, grantsAccess, phaseOf } from '#shared/domain/cycle.ts';
import { addDays, type Day, dayOf, startOfDay } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { timedSteps } from '#server/features/timed-events/timed-events.ts';
import type { Portal } from '#server/portal.ts';
import { runStep } from '#server/rounds/steps.ts';

type Moved = NonNullable<Portal['movedClock']>;

/** Maximum number of cycles and mails shown. */
const shown = 12;

/**
 * Moves the product's clock. Going forward, it stops at every midnight on the way, so that what is due by time alone happens on its own day:
 * invoices of cycles that start, renewals, reminders. Waiting times on the machine's clock (the next check of the provider) are shortened by as much.
 * Going back is for returning to real time: nothing that has happened is undone.
 */
export async function moveClock(portal: Portal, moved: Moved, offsetMs: number): Promise<void> {
  const from = moved.offsetMs();
  const target = portal.machineClock() + offsetMs;
  let day = addDays(dayOf(portal.clock()), 1);
  for (; startOfDay(day) <= target; day = addDays(day, 1)) {
    await moved.moveTo(startOfDay(day) - portal.machineClock());
    await followTime(portal);
  }
  await moved.moveTo(offsetMs);
  if (offsetMs > from) await shiftDueTimes(portal, offsetMs - from);
  await followTime(portal);
}

async function followTime(portal: Portal): Promise<void> {
  const today = dayOf(portal.clock());
  for (const { name, work } of timedSteps)
    await runStep(portal, name, (items) => work(portal, today, { customers: 'all', items }));
}

/** Every table has what is due on the machine's clock in a column of these names. */
const dueTimes = sql`select c.table_name as table, c.column_name as column
  from information_schema.columns c join information_schema.tables using (table_schema, table_name)
  where table_schema = current_schema() and table_type = 'BASE TABLE' and c.column_name in ('next_check_at', 'next_look_at', 'next_try_at')`;

async function shiftDueTimes({ db }: Portal, byMs: number): Promise<void> {
  const due = checkedRows(z.object({ table: z.string(), column: z.string() }), await dueTimes.execute(db));
  for (const { table, column } of due) {
    const time = sql.ref(column);
    await sql`update ${sql.table(table)} set ${time} = ${time} - make_interval(secs => ${byMs / 1000}) where ${time} is not null`.execute(
      db,
    );
  }
}

/** The time, what is due next, and the latest events; all times in epoch milliseconds. */
export async function readClock(portal: Portal, moved: Moved) {
  const nowMs = portal.clock();
  const today = dayOf(nowMs);
  const [next, cycles, mails] = await Promise.all([
    readNext(portal, today),
    readCycles(portal, today),
    readMails(portal),
  ]);
  return {
    nowMs,
    offsetMs: moved.offsetMs(),
    today,
    turns: { midnight: startOfDay(addDays(today, 1)), ...next },
    cycles,
    mails,
  };
}

const startOf = (day: Day | null | undefined) => (day == null ? null : startOfDay(day));

async function readNext({ db }: Portal, today: Day) {
  const days = db.selectFrom('cycles').where('status', 'in', accessStatuses);
  const first = await days
    .where('from_date', '>', today)
    .select((select) => select.fn.min('from_date').as('day'))
    .executeTakeFirst();
  const last = await days
    .where('to_date', '>', today)
    .select((select) => select.fn.min('to_date').as('day'))
    .executeTakeFirst();
  return { nextStart: startOf(first?.day), nextEnd: startOf(last?.day) };
}

async function readCycles(portal: Portal, today: Day) {
  const rows = await portal.db
    .selectFrom('cycles')
    .innerJoin('customers', 'customers.id', 'cycles.customer_id')
    .select(['cycles.id', 'customers.name', 'service_id', 'plan', 'from_date', 'to_date', 'status'])
    .orderBy('from_date', 'desc')
    .orderBy('cycles.created_at', 'desc')
    .limit(shown)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    customer: row.name,
    product: portal.catalog.find(row.service_id)?.name ?? row.service_id,
    plan: row.plan.name,
    fromDate: row.from_date,
    toDate: row.to_date,
    status: row.status,
    phase: grantsAccess(row.status) ? phaseOf({ fromDate: row.from_date, toDate: row.to_date }, today) : null,
  }));
}

async function readMails({ db }: Portal) {
  const rows = await db
    .selectFrom('mails')
    .leftJoin('documents', 'documents.id', 'mails.document_id')
    .select(['mails.id', 'recipient', 'subject', 'created_at', 'number'])
    .orderBy('created_at', 'desc')
    .orderBy('mails.id')
    .limit(shown)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    document: row.number,
    atMs: row.created_at.getTime(),
  }));
}
