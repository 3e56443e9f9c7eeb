import { sql } from 'kysely';
import type { Db } from '#shared/database/connect.ts';
import { ageOf } from '#shared/platform/clock.ts';
import type { Portal } from '#server/portal.ts';
import { verifyChangesOf } from './verify-changes.ts';
import { headText, type KnownEntry, type LedgerReport, verifyLedgerOf } from './verify-ledger.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Maximum age of a check; /backend/health is not ok when it is older. */
export const maxCheckAgeMs = { changes: 10 * minuteMs, whole: 36 * hourMs };

/** The full check runs after 02:00 in India, once a night; a missed one is made up for, and one that found faults is repeated. */
const whole = { nightHours: [2, 3, 4], nightMs: 20 * hourMs, missedMs: 30 * hourMs, faultyMs: hourMs };

/** The last seal that this process saw. Somebody who rewrites the whole chain can't change it. */
const seenSeals = new WeakMap<Db, KnownEntry>();

/**
 * Verifies what is new in the ledger, every minute. A fault is logged as an error and reported by /backend/health until it is fixed.
 * The hashes of the last entry and the last seal are logged: they can prove later that nothing before them was changed.
 */
export async function verifyLedger(portal: Portal): Promise<void> {
  const before = await portal.db.selectFrom('ledger_checks').select(['position', 'hash']).executeTakeFirst();
  try {
    await chainSeals(portal.db);
    const report = await verifyChangesOf(portal.db, before, seenSeals.get(portal.db));
    if (report.faults.length === 0) seenSeals.set(portal.db, report.seals);
    logReport(portal, 'what is new', report);
    // Keep the last good position, so that a fault does not become the new baseline.
    const { position, hash } = report.faults.length > 0 && before ? before : report;
    await storeCheck(portal.db, {
      checked_at: new Date(portal.machineClock()),
      position,
      hash,
      faults: JSON.stringify(report.faults),
      failure: null,
    });
  } catch (error) {
    await portal.db
      .updateTable('ledger_checks')
      .set({ failure: String(error) })
      .execute();
    throw error;
  }
}

const maxSealsPerStatement = 5000;

/** Appends the seals of the last minute to the chain, in short transactions. */
async function chainSeals(db: Db): Promise<void> {
  for (;;) {
    const { chained } = await db
      .selectNoFrom((of) => of.fn<number>('chain_seals', [of.val(maxSealsPerStatement)]).as('chained'))
      .executeTakeFirstOrThrow();
    if (chained < maxSealsPerStatement) return;
  }
}

/** Verifies the whole ledger, in a snapshot that does not block others. `stopping` cancels it. */
export async function verifyWholeLedger(
  portal: Portal,
  stopping?: AbortSignal,
  further?: () => Promise<string[]>,
): Promise<void> {
  const known = await portal.db.selectFrom('ledger_checks').select(['position', 'hash']).executeTakeFirst();
  try {
    const knownSeal = seenSeals.get(portal.db);
    const verification = { known, knownSeal, files: portal.documentFiles, further };
    const report = await verifyLedgerOf(portal.db, verification, stopping);
    logReport(portal, 'the whole', report);
    const whole_checked_at = new Date(portal.machineClock());
    const isWrong = knowsFaults(report);
    const result = {
      whole_checked_at,
      whole_faults: JSON.stringify(isWrong ? report.faults : []),
      whole_failure: isWrong ? null : (report.faults[0] ?? null),
    };
    if (known) await portal.db.updateTable('ledger_checks').set(result).execute();
    else {
      const { position, hash } = report;
      await storeCheck(portal.db, {
        checked_at: whole_checked_at,
        position,
        hash,
        faults: '[]',
        failure: null,
        ...result,
      });
    }
  } catch (error) {
    if (stopping?.aborted) return;
    await portal.db
      .updateTable('ledger_checks')
      .set({ whole_failure: String(error) })
      .execute();
    throw error;
  }
}

/** Is a full check due? */
export async function isWholeCheckDue(portal: Portal): Promise<boolean> {
  const check = await portal.db
    .selectFrom('ledger_checks')
    .select(['whole_checked_at', 'whole_faults', 'whole_failure'])
    .executeTakeFirst();
  if (check?.whole_checked_at == null) return true;
  const now = portal.machineClock();
  const age = ageOf(check.whole_checked_at, now);
  const hourInIndia = new Date(now + 5.5 * hourMs).getUTCHours();
  if (check.whole_failure !== null || check.whole_faults.length > 0) return age >= whole.faultyMs;
  return age >= whole.missedMs || (age >= whole.nightMs && whole.nightHours.includes(hourInIndia));
}

/** Is anything known to be wrong, beyond PDFs that could not be read? */
const knowsFaults = ({ faults, unread = 0 }: LedgerReport): boolean => faults.length > unread;

function logReport(portal: Portal, what: string, report: LedgerReport): void {
  const { faults } = report;
  const found = { checked: what, ledger: headText(report), seals: headText(report.seals) };
  if (knowsFaults(report))
    portal.log.error({ ...found, faults }, 'THE LEDGER IS WRONG: a person must look into the money');
  else if (faults.length > 0)
    portal.log.error({ ...found, faults }, 'PDFS COULD NOT BE VERIFIED: the place of documents can’t be read');
  else portal.log.info(found, 'the ledger is correct');
}

type StoredCheck = { checked_at: Date; position: number; hash: Buffer; faults: string; failure: null };

async function storeCheck(
  db: Db,
  check: StoredCheck & { whole_checked_at?: Date; whole_faults?: string; whole_failure?: string | null },
) {
  await db
    .insertInto('ledger_checks')
    .values({ only_row: sql`true`, ...check })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(check))
    .execute();
}

export interface LedgerHealth {
  /** False when a check found faults, failed, or is too old. */
  ok: boolean;
  /** Was the ledger correct at the last checks? Null before the first one. */
  holds: boolean | null;
  checkedAt: string | null;
  wholeCheckedAt: string | null;
}

const readLastCheck = (db: Db) => db.selectFrom('ledger_checks').selectAll().executeTakeFirst();
type LastCheck = Awaited<ReturnType<typeof readLastCheck>>;

function healthOf(check: LastCheck, now: number, startedAt: number): LedgerHealth {
  const holds = check ? check.faults.length === 0 && check.whole_faults.length === 0 : null;
  const isFresh = (at: Date | null | undefined, oldest: number): boolean =>
    at == null ? now - startedAt < maxCheckAgeMs.changes : ageOf(at, now) <= oldest;
  return {
    ok:
      holds !== false &&
      check?.failure == null &&
      check?.whole_failure == null &&
      isFresh(check?.checked_at, maxCheckAgeMs.changes) &&
      isFresh(check?.whole_checked_at, maxCheckAgeMs.whole),
    holds,
    checkedAt: check?.checked_at.toISOString() ?? null,
    wholeCheckedAt: check?.whole_checked_at?.toISOString() ?? null,
  };
}

/** For /backend/health; does not contain the faults. */
export async function readLedgerHealth({
  db,
  machineClock,
  startedAt,
}: Pick<Portal, 'db' | 'machineClock' | 'startedAt'>): Promise<LedgerHealth> {
  return healthOf(await readLastCheck(db), machineClock(), startedAt);
}

/** What the last checks say, and when all was checked; null before the first time. */
interface LedgerFindings {
  found: { about: string; since: string | null }[];
  wholeCheckedAt: string | null;
}

/** What the last checks found: faults, checks that failed, and checks that have stopped. A new installation has had none yet. `now`: by the machine's clock. */
export async function readLedgerFindings(db: Db, now: number): Promise<LedgerFindings> {
  const check = await readLastCheck(db);
  const { ok, checkedAt, wholeCheckedAt } = healthOf(check, now, now);
  if (check === undefined || ok) return { found: [], wholeCheckedAt };
  const abouts = [
    ...new Set([...check.faults, ...check.whole_faults]),
    ...[check.failure, check.whole_failure]
      .filter((failure) => failure !== null)
      .map((failure) => `the check itself failed: ${failure}`),
  ];
  const stopped = { about: 'the checks have stopped: no portal runs them', since: wholeCheckedAt };
  return {
    found: abouts.length > 0 ? abouts.map((about) => ({ about, since: checkedAt })) : [stopped],
    wholeCheckedAt,
  };
}
