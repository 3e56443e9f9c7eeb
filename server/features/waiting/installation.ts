import { databaseTime } from '#shared/database/expressions.ts';
import { listLeftJournals } from '#shared/database/left-journals.ts';
import { readSetback } from '#shared/database/setback.ts';
import type { Db } from '#shared/database/connect.ts';
import { titleOf } from '#shared/domain/document.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { readShortKinds } from '#server/features/documents/documents.ts';
import { readLedgerFindings } from '#server/features/ledger/ledger.ts';
import { listFailingEndpoints } from '#server/features/webhooks/webhooks.ts';
import { keepsFailing, listFailedWork } from '#server/rounds/failed-work.ts';
import { type Item, ofInstallation, type Reads } from './found.ts';

/** Checks of the doctor whose facts are a kind of their own here, and are read as they are now. */
const ownKinds: ReadonlySet<string> = new Set([
  'ledger',
  'unsettled-payments',
  'unpaid-refunds',
  'erasure-requests',
  'journals',
  'timed-work',
  'database-moved',
  'unsent-mails',
]);

const backupChecks: ReadonlySet<string> = new Set(['backups', 'wal-archive']);

/** A timer starts the doctor each hour. */
const silentMs = 3 * 3_600_000;

/** What the installation itself lacks; metrics, health and `octroi doctor` read the same. */
export const installationReads: Reads<
  | 'ENDPOINT'
  | 'LEDGER_FAULT'
  | 'FAILED_WORK'
  | 'LEFT_JOURNAL'
  | 'BACKUP'
  | 'DOCTOR'
  | 'DATABASE_MOVED'
  | 'SHORT_NUMBERS'
> = {
  LEDGER_FAULT: async (db) =>
    (await readLedgerFindings(db, systemClock())).found.map(({ about, since }) =>
      ofInstallation(about, 'verify-ledger', since),
    ),
  ENDPOINT: async (db, nowMs) =>
    (await listFailingEndpoints(db, nowMs)).map(({ id, url, since, isOff }) => ({
      ...ofInstallation(
        isOff ? `${url} gets no events: it kept failing and is off` : `${url} fails`,
        `webhooks deliveries ${id}`,
        since,
      ),
      id,
    })),
  FAILED_WORK: async (db) =>
    (await listFailedWork(db)).filter(keepsFailing).map(({ step, item, failures, since, error }) => ({
      ...ofInstallation(
        `“${step}” failed ${formatNumber(failures)} times${item === '' ? '' : ` for ${item}`}: ${error}`,
        'doctor --only timed-work',
        since,
      ),
      id: item === '' ? step : `${step} ${item}`,
    })),
  LEFT_JOURNAL: async (db) =>
    (await listLeftJournals(db)).map(({ id, held }) => ({
      ...ofInstallation(`a gateway ended and holds a quota of ${formatNumber(held)} calls`, 'journals list'),
      id,
    })),
  BACKUP: async (db) => complaintsIn(await selectDoctorRuns(db), (check) => backupChecks.has(check)),
  DOCTOR: async (db) => {
    const runs = await selectDoctorRuns(db);
    return [
      ...complaintsIn(runs, (check) => !backupChecks.has(check) && !ownKinds.has(check)),
      ...runs.filter(isSilent).map(silenceOf),
    ];
  },
  DATABASE_MOVED: async (db) => {
    const found = await readSetback(db);
    return found === undefined ? [] : [ofInstallation(`the database ${found.about}`, 'restore --finish', found.since)];
  },
  SHORT_NUMBERS: async (db, nowMs) =>
    (await readShortKinds({ db, clock: () => nowMs })).map((kind) => ({
      ...ofInstallation(
        `less than a fifth of this year’s numbers is left for the kind “${titleOf({ kind })}”: set another INVOICE_PREFIX`,
        'doctor',
      ),
      id: kind,
    })),
};

/** What the doctor found at each place when a timer last started it. */
const selectDoctorRuns = (db: Db) =>
  db.selectFrom('doctor_runs').selectAll().select(databaseTime.as('now')).orderBy('place').execute();

type DoctorRun = Awaited<ReturnType<typeof selectDoctorRuns>>[number];

const complaintsIn = (runs: readonly DoctorRun[], isWanted: (check: string) => boolean): Item[] =>
  runs.flatMap(({ place, complaints, examined_at: at }) =>
    Object.entries(complaints)
      .filter(([check]) => isWanted(check))
      .map(([check, level]) => ({
        ...ofInstallation(`the doctor at ${place} found a ${level}: ${check}`, `doctor --only ${check}`, at),
        id: `${place} ${check}`,
      })),
  );

const isSilent = ({ examined_at: at, now }: DoctorRun) => now.getTime() - at.getTime() > silentMs;

const silenceOf = ({ place, examined_at: at }: DoctorRun): Item => ({
  ...ofInstallation(`the doctor at ${place} has not looked for three hours`, 'doctor', at),
  id: place,
});
