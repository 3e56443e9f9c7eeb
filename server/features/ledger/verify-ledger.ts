import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '#shared/database/connect.ts';
import { accounts, entryKinds, genesisHash, hashOfEntry, type LedgerLine, sumOfLines } from '#shared/domain/ledger.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { DocumentFiles } from '#server/document-files/document-files.ts';
import { invariants } from './invariants.ts';
import { daySumInvariants } from './day-sum-invariants.ts';
import { providerActionInvariants } from './operator-invariants.ts';
import { guardRule, readGuards } from './guards.ts';
import { verifyOutsidePapers } from './outside-papers.ts';
import { changedPapers } from './paper-invariants.ts';
import { faultsOfRegistrations } from './registrations.ts';
import { operatorChain, providerSealInvariants, sealChain, sealInvariants } from './seal-invariants.ts';
import { faultsOfSplits } from './splits.ts';

/**
 * The result of a verification. `position` and `hash` are those of the last entry, `seals` those of the last seal: stored elsewhere, they prove everything
 * before them.
 */
export interface LedgerReport extends KnownEntry {
  seals: KnownEntry;
  /** One sentence per fault; empty when the ledger is correct. */
  faults: string[];
  /** How many of them are PDFs that could not be read, since their place is away: not known to be wrong. */
  unread?: number;
  /** Migrations of a newer version: what guards the money was not compared. */
  newer?: string[];
}

/** An entry whose position and hash are known from an earlier verification. */
export interface KnownEntry {
  position: number;
  hash: Buffer;
}

/** How a head is written where it is kept: in the log, by commands, in a backup. */
export const headText = ({ position, hash }: KnownEntry): string => `${position}:${hash.toString('hex')}`;

/** Keeps the memory use of verifying years as low as that of a day. */
const batch = 2000;
/** More would add no information. */
export const maxFaults = 100;

/** Statement timeout of the full check: some statements sort millions of rows. */
const statementMinutes = 30;

export interface Verification {
  /** To read PDFs outside the database; without it they are reported as not verified. */
  files?: DocumentFiles | undefined;
  /** An entry that must exist unchanged. */
  known?: KnownEntry | undefined;
  /** The same of the seals. */
  knownSeal?: KnownEntry | undefined;
  /** What else is verified: its faults. */
  further?: (() => Promise<string[]>) | undefined;
}

/**
 * Verifies all money, in one snapshot: every entry sums to zero and is in the chain unchanged; payments, cycles, refunds and documents
 * agree with the ledger; every PDF is unchanged, wherever it lies.
 */
export async function verifyLedgerOf(
  db: Db,
  verification: Verification = {},
  /** Cancels the verification, which then throws. */
  stopping?: AbortSignal,
): Promise<LedgerReport> {
  const report = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql.raw(`set local statement_timeout = '${statementMinutes}min'`).execute(tx);
      // It has all night; leave the CPU to others.
      await sql`set local max_parallel_workers_per_gather = 0`.execute(tx);
      await sql`set local work_mem = '64MB'`.execute(tx);
      const [session] = checkedRows(
        z.object({ pid: z.number() }),
        await sql`select pg_backend_pid() as pid`.execute(tx),
      );
      const cancel = () => void sql`select pg_cancel_backend(${session?.pid})`.execute(db).catch(() => undefined);
      stopping?.addEventListener('abort', cancel);
      try {
        const { faults, newer } = await readGuards(tx);
        const found = await verifyWithin(tx, verification);
        return { ...found, faults: [...faults.map((fault) => `${guardRule}: ${fault}`), ...found.faults], newer };
      } finally {
        stopping?.removeEventListener('abort', cancel);
      }
    });
  const { wrong, unread } = await verifyOutsidePapers(db, verification.files, maxFaults, stopping);
  const further = (await verification.further?.()) ?? [];
  const faults = [...report.faults, ...further, ...wrong].slice(0, maxFaults);
  const named = unread.slice(0, maxFaults - faults.length);
  return { ...report, faults: [...faults, ...named], unread: named.length };
}

/**
 * The same within an open transaction, without the PDFs outside the database. Unless the transaction is one snapshot, what others commit
 * meanwhile looks like a fault.
 */
export async function verifyWithin(tx: Tx, { known, knownSeal }: Verification = {}): Promise<LedgerReport> {
  const chain = await verifyChain(tx, known);
  const faults = [...chain.faults, ...(await changedSeal(tx, knownSeal))];
  const rules = [
    ...Object.entries(invariants),
    ...Object.entries(sealInvariants),
    ...Object.entries(providerSealInvariants),
    ...Object.entries(providerActionInvariants),
    ...Object.entries(daySumInvariants),
    ['the chain of seals', sealChain],
    ['the audit log of operators', operatorChain],
    ['a PDF never changes', changedPapers()],
  ] as const;
  for (const [rule, query] of rules) {
    const found = await sql`${sql.raw(query)} limit ${maxFaults}`.execute(tx);
    faults.push(...checkedRows(z.object({ fault: z.string() }), found).map(({ fault }) => `${rule}: ${fault}`));
  }
  faults.push(...(await faultsOfSplits(tx, maxFaults)), ...(await faultsOfRegistrations(tx, maxFaults)));
  return { ...chain, seals: await lastSeal(tx), faults: faults.slice(0, maxFaults) };
}

/** The head of the chain of seals. */
export async function lastSeal(tx: Tx): Promise<KnownEntry> {
  return tx.selectFrom('seal_head').select(['position', 'hash']).executeTakeFirstOrThrow();
}

/** The chain that was written again from its beginning agrees with itself; it doesn't agree with what was seen of it before. */
export async function changedSeal(tx: Tx, known: KnownEntry | undefined): Promise<string[]> {
  if (known === undefined || known.position === 0) return [];
  const seal = await tx
    .selectFrom('record_seals')
    .select('hash')
    .where('position', '=', known.position)
    .executeTakeFirst();
  const isSame = seal?.hash?.equals(known.hash) === true;
  return isSame ? [] : [`the chain of seals: seal ${known.position} has changed since the last verification`];
}

/**
 * Verifies the chain of entries. `known`: an entry that must exist unchanged.
 * @param range `from`: the entry to start after, default the first; `limit`: about how many entries to read at most
 */
export async function verifyChain(
  tx: Tx,
  known: KnownEntry | undefined,
  range: { from?: KnownEntry | undefined; limit?: number } = {},
): Promise<KnownEntry & { faults: string[] }> {
  const faults: string[] = [];
  const report = (fault: string): void => void (faults.length < maxFaults && faults.push(`the chain: ${fault}`));
  let last: KnownEntry = range.from ?? { position: 0, hash: genesisHash };
  const firstPosition = last.position;
  if (firstPosition > 0 && !(await isAtPosition(tx, last)))
    report(`entry ${firstPosition} has changed since the last verification`);
  for (;;) {
    const entries = await readEntries(tx, last.position);
    for (const entry of entries) {
      if (entry.position !== last.position + 1) report(`entry ${last.position + 1} is missing before ${entry.id}`);
      if (entry.lines.length < 2 || sumOfLines(entry.lines) !== 0)
        report(`entry ${entry.id} sums to ${sumOfLines(entry.lines)}`);
      if (!hashOfEntry(last.hash, entry).equals(entry.hash)) report(`entry ${entry.id} has been changed`);
      last = { position: entry.position, hash: entry.hash };
      if (known?.position === last.position && !known.hash.equals(last.hash))
        report(`entry ${entry.id} has changed since the last verification`);
    }
    if (entries.length < batch) break;
    if (last.position - firstPosition >= (range.limit ?? Infinity)) return { ...last, faults };
  }
  const head = await tx.selectFrom('ledger_head').select(['position', 'hash']).executeTakeFirst();
  if (head?.position !== last.position || !head.hash.equals(last.hash))
    report(`its head is at ${head?.position ?? 'no entry'}, its last entry at ${last.position}`);
  if (known && known.position > last.position)
    report(`it ends at ${last.position}, but had ${known.position} entries before`);
  const loose = await tx
    .selectFrom('ledger_entries')
    .select('id')
    .where('position', 'is', null)
    .limit(maxFaults)
    .execute();
  for (const { id } of loose) report(`entry ${id} is not in the chain`);
  return { ...last, faults };
}

async function isAtPosition(tx: Tx, known: KnownEntry): Promise<boolean> {
  const entry = await tx
    .selectFrom('ledger_entries')
    .select('hash')
    .where('position', '=', known.position)
    .executeTakeFirst();
  return entry?.hash?.equals(known.hash) === true;
}

/** An entry with its lines; one without lines has a null for each. */
const entrySchema = z.object({
  id: z.string(),
  kind: z.enum(entryKinds),
  payment_id: z.string().nullable(),
  refund_id: z.string().nullable(),
  cycle_id: z.string().nullable(),
  customer_id: z.string().nullable(),
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
