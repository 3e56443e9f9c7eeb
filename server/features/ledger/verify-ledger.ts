import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '#database/connect.ts';
import { type Account, type EntryKind, genesisHash, hashOfEntry, type LedgerLine, sumOfLines } from '#domain/ledger.ts';
import { checkedRows } from '#platform/checked-rows.ts';
import { invariants } from './invariants.ts';
import { changedPapers } from './paper-invariants.ts';

/** What a verification found. `position` and `hash` are those of the last entry: kept elsewhere, they prove all before it. */
export interface LedgerReport {
  position: number;
  hash: Buffer;
  /** Sentences; none when everything holds. */
  faults: string[];
}

/** An entry whose place and hash are known from before, such as a verification a minute ago. */
export interface KnownEntry {
  position: number;
  hash: Buffer;
}

/** So that a verification of years takes no more memory than one of a day. */
const batch = 2000;
/** More would say nothing new. */
export const mostFaults = 100;

/** A statement of the whole check may run this long: over years of many customers' documents, some sort millions of rows. */
const statementMinutes = 30;

export interface Verification {
  /** An entry that must still be there as it was. */
  known?: KnownEntry | undefined;
}

/**
 * Verifies everything that is known of money, in one snapshot: that every entry sums to zero and stands in the chain as it was written,
 * that payments, cycles, refunds and documents agree with the ledger, and that every paper is as it was made.
 */
export async function verifyLedgerOf(
  db: Db,
  verification: Verification = {},
  /** Cancels the verification, which then throws. */
  stopping?: AbortSignal,
): Promise<LedgerReport> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql.raw(`set local statement_timeout = '${statementMinutes}min'`).execute(tx);
      // It has all night, and others need the processors.
      await sql`set local max_parallel_workers_per_gather = 0`.execute(tx);
      await sql`set local work_mem = '64MB'`.execute(tx);
      const [session] = checkedRows(
        z.object({ pid: z.number() }),
        await sql`select pg_backend_pid() as pid`.execute(tx),
      );
      const cancel = () => void sql`select pg_cancel_backend(${session?.pid})`.execute(db).catch(() => undefined);
      stopping?.addEventListener('abort', cancel);
      try {
        return await verifyWithin(tx, verification);
      } finally {
        stopping?.removeEventListener('abort', cancel);
      }
    });
}

/** The same within a transaction, of what it sees. */
export async function verifyWithin(tx: Tx, { known }: Verification = {}): Promise<LedgerReport> {
  const chain = await verifyChain(tx, known);
  const faults = [...chain.faults];
  const rules = { ...invariants, 'a paper never changes': changedPapers() };
  for (const [rule, query] of Object.entries(rules)) {
    const found = await sql`${sql.raw(query)} limit ${mostFaults}`.execute(tx);
    faults.push(...checkedRows(z.object({ fault: z.string() }), found).map(({ fault }) => `${rule}: ${fault}`));
  }
  return { ...chain, faults: faults.slice(0, mostFaults) };
}

/**
 * Verifies the chain of entries. `known`: an entry that must still be there as it was.
 * @param range `from`: the entry behind which to begin, else the first; `limit`: about how many entries to read at most
 */
export async function verifyChain(
  tx: Tx,
  known: KnownEntry | undefined,
  range: { from?: KnownEntry | undefined; limit?: number } = {},
): Promise<LedgerReport> {
  const faults: string[] = [];
  const report = (fault: string): void => void (faults.length < mostFaults && faults.push(`the chain: ${fault}`));
  let last: KnownEntry = range.from ?? { position: 0, hash: genesisHash };
  const firstPosition = last.position;
  if (firstPosition > 0 && !(await standsAt(tx, last)))
    report(`entry ${firstPosition} is another one than at the verification before`);
  for (;;) {
    const entries = await readEntries(tx, last.position);
    for (const entry of entries) {
      if (entry.position !== last.position + 1) report(`entry ${last.position + 1} is missing before ${entry.id}`);
      if (entry.lines.length < 2 || sumOfLines(entry.lines) !== 0)
        report(`entry ${entry.id} sums to ${sumOfLines(entry.lines)}`);
      if (!hashOfEntry(last.hash, entry).equals(entry.hash)) report(`entry ${entry.id} is not as it was written`);
      last = { position: entry.position, hash: entry.hash };
      if (known?.position === last.position && !known.hash.equals(last.hash))
        report(`entry ${entry.id} is another one than at the verification before`);
    }
    if (entries.length < batch) break;
    if (last.position - firstPosition >= (range.limit ?? Infinity)) return { ...last, faults };
  }
  const head = await tx.selectFrom('ledger_head').select(['position', 'hash']).executeTakeFirst();
  if (head?.position !== last.position || !head.hash.equals(last.hash))
    report(`its head is at ${head?.position ?? 'no entry'}, its last entry at ${last.position}`);
  if (known && known.position > last.position)
    report(`it ends at ${last.position}, where it had ${known.position} before`);
  const loose = await tx
    .selectFrom('ledger_entries')
    .select('id')
    .where('position', 'is', null)
    .limit(mostFaults)
    .execute();
  for (const { id } of loose) report(`entry ${id} is not in it`);
  return { ...last, faults };
}

async function standsAt(tx: Tx, known: KnownEntry): Promise<boolean> {
  const entry = await tx
    .selectFrom('ledger_entries')
    .select('hash')
    .where('position', '=', known.position)
    .executeTakeFirst();
  return entry?.hash?.equals(known.hash) === true;
}

const accounts = ['provider', 'cycles', 'refunds'] as const satisfies Account[];
const kinds = ['CAPTURED_FOR_CYCLE', 'CAPTURED_FOR_REFUND', 'REFUND_DUE', 'REFUND_PAID'] as const satisfies EntryKind[];
/** An entry with its lines; one without lines has a null for each. */
const entrySchema = z.object({
  id: z.string(),
  kind: z.enum(kinds),
  payment_id: z.string(),
  refund_id: z.string().nullable(),
  cycle_id: z.string(),
  customer_id: z.string(),
  currency: z.string(),
  posted_at: z.date(),
  position: z.number(),
  hash: z.instanceof(Buffer),
  accounts: z.array(z.enum(accounts).nullable()),
  amounts: z.array(z.number().nullable()),
});

async function readEntries(tx: Tx, after: number) {
  const found = await sql`select e.*, array_agg(l.account) as accounts, array_agg(l.amount_paise) as amounts
    from (select * from ledger_entries where position > ${after} order by position limit ${batch}) e
      left join ledger_lines l on l.entry_id = e.id
    group by e.id, e.kind, e.payment_id, e.refund_id, e.cycle_id, e.customer_id, e.currency, e.posted_at, e.position, e.hash
    order by e.position`.execute(tx);
  return checkedRows(entrySchema, found).map((row) => ({
    id: row.id,
    kind: row.kind,
    paymentId: row.payment_id,
    refundId: row.refund_id,
    cycleId: row.cycle_id,
    customerId: row.customer_id,
    currency: row.currency,
    position: row.position,
    atMs: row.posted_at.getTime(),
    hash: row.hash,
    lines: row.accounts.flatMap((account, index): LedgerLine[] =>
      account === null ? [] : [{ account, amountPaise: row.amounts[index] ?? 0 }],
    ),
  }));
}
