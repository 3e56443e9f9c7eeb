import type { Selectable } from 'kysely';
import { isDatabaseAway } from '#shared/database/clients.ts';
import type { Db } from '#shared/database/connect.ts';
import type { Tables } from '#shared/database/tables.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Log } from '#shared/platform/log.ts';
import { reasonOf } from '#shared/platform/reason.ts';

/** What a step of timed work goes through: cycles, customers, tables. */
export interface Items {
  /** Runs the work for one item. Its failure is recorded, and doesn't keep the step from the other items. */
  each: (item: string, work: () => Promise<unknown>) => Promise<void>;
  /** Items that failed before and are to be tried again now. */
  due: readonly string[];
  stopping?: AbortSignal | undefined;
}

/** Where nothing is recorded: the first failure is thrown. */
export const unrecorded: Items = { each: async (_item, work) => void (await work()), due: [] };

/** `whole`: the step failed before it had gone through its items. `waiting`: it failed lately, and is not to be tried yet. */
export type Outcome = 'done' | 'some-failed' | 'whole-failed' | 'waiting' | 'stopped';

const maxErrorLength = 300;
const longestWaitMs = 15 * 60_000;

/** 1, 2, 4, 8 minutes after the first failures, then every 15. */
const waitAfter = (failures: number): number => Math.min(60_000 * 2 ** (failures - 1), longestWaitMs);

/** The item under which a step as a whole is recorded. */
const whole = '';

interface StepRunner {
  db: Db;
  log: Log;
  machineClock: Clock;
}

/** Runs a step of timed work by its name. Throws only while PostgreSQL is away. */
type RunStep = (step: string, work: (items: Items) => Promise<unknown>) => Promise<Outcome>;

/**
 * For steps of timed work, so that neither a step nor one of its items keeps other work from being done: failures are recorded in `failed_work`, for
 * health, metrics and `octroi doctor`, and tried again later each time. Run a step in one process at a time.
 */
export async function openSteps(runner: StepRunner, stopping?: AbortSignal): Promise<RunStep> {
  const rows = await runner.db.selectFrom('failed_work').selectAll().execute();
  return (step, work) => {
    const known = new Map(rows.filter((row) => row.step === step).map((row) => [row.item, row]));
    return run(runner, { step, known, stopping }, work);
  };
}

/** The same for a single step. */
export async function runStep(
  runner: StepRunner,
  step: string,
  work: (items: Items) => Promise<unknown>,
  stopping?: AbortSignal,
): Promise<Outcome> {
  return (await openSteps(runner, stopping))(step, work);
}

interface Step {
  step: string;
  known: ReadonlyMap<string, Selectable<Tables['failed_work']>>;
  stopping: AbortSignal | undefined;
}

async function run(
  { db, log, machineClock }: StepRunner,
  { step, known, stopping }: Step,
  work: (items: Items) => Promise<unknown>,
): Promise<Outcome> {
  const waits = (item: string): boolean => (known.get(item)?.retry_at.getTime() ?? 0) > machineClock();
  if (waits(whole)) return 'waiting';
  const due = [...known.keys()].filter((item) => item !== whole && !waits(item));
  const failed = new Set<string>();
  const succeeded = new Set<string>();

  const record = async (item: string, error: unknown): Promise<void> => {
    if (isDatabaseAway(error)) throw error;
    failed.add(item);
    const now = machineClock();
    const failures = (known.get(item)?.failures ?? 0) + 1;
    const changed = {
      failures,
      failed_at: new Date(now),
      retry_at: new Date(now + waitAfter(failures)),
      error: reasonOf(error).slice(0, maxErrorLength),
    };
    await db
      .insertInto('failed_work')
      .values({ step, item, since: new Date(now), ...changed })
      .onConflict((conflict) => conflict.columns(['step', 'item']).doUpdateSet(changed))
      .execute();
    log.error({ err: error, step, item, failures, retryAt: changed.retry_at }, 'timed work failed and will be retried');
  };
  const forget = async (items: readonly string[]): Promise<void> => {
    const over = items.filter((item) => known.has(item) && !failed.has(item));
    if (over.length > 0)
      await db.deleteFrom('failed_work').where('step', '=', step).where('item', 'in', over).execute();
  };

  try {
    await work({
      due,
      stopping,
      each: async (item, act) => {
        if (stopping?.aborted || waits(item)) return;
        try {
          await act();
          succeeded.add(item);
        } catch (error) {
          await record(item, error);
        }
      },
    });
  } catch (error) {
    await record(whole, error);
    await forget([...succeeded]);
    return 'whole-failed';
  }
  // An item that failed before and didn't come up is not due any more.
  await forget([whole, ...(stopping?.aborted ? succeeded : due)]);
  if (stopping?.aborted) return 'stopped';
  return failed.size > 0 || [...known.keys()].some((item) => item !== whole && waits(item)) ? 'some-failed' : 'done';
}
