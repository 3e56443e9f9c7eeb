import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientBase } from 'pg';
import { openClient } from '#shared/database/clients.ts';
import { valueParsers } from '#shared/database/value-parsers.ts';
import { joinGateways } from '#gateway/access/membership.ts';
import { openJournal } from '#gateway/journal/journal.ts';
import { lockJournal } from '#gateway/journal/lock.ts';
import { type CountedLeft, countLeft } from '#gateway/quota/counting.ts';
import { systemClock } from '#shared/platform/clock.ts';
import type { Log } from '#shared/platform/log.ts';

export type { CountedLeft };

const ignore = (): void => {};

/** The id of the journal in a folder. Throws when there is none: opening a journal would make one. */
export function readJournalId(folder: string): string {
  try {
    return readFileSync(join(folder, 'id'), 'utf8').trim();
  } catch {
    throw new Error(`There is no journal in ${folder}: it has no file "id".`);
  }
}

/** Throws while a gateway is using the journal. */
export async function checkUnused(folder: string): Promise<void> {
  const unlock = await lockJournal(folder);
  await unlock();
}

/** Runs `settle` in one transaction of this connection. */
export type InTransaction = (client: ClientBase, settle: () => Promise<CountedLeft>) => Promise<void>;

/**
 * Retires a gateway that will not be started again: counts the calls in its journal and releases its leases, in one transaction. Only its
 * journal knows which units it used, so nothing else releases them. Throws while a gateway is using the journal.
 */
export async function settleJournal(
  databaseUrl: string,
  journalDir: string,
  log: Log,
  inTransaction: InTransaction,
): Promise<void> {
  const unlock = await lockJournal(journalDir);
  const client = openClient({ connectionString: databaseUrl, types: valueParsers });
  try {
    await client.connect();
    const journal = openJournal(journalDir, systemClock);
    const catalog = { onPrepare: ignore, onUse: () => true, onReconnected: async () => {} };
    const events = { onActivation: ignore, onMissedChanges: ignore, onQuota: ignore, catalog };
    const member = await joinGateways(databaseUrl, journal.id, events, log);
    try {
      await inTransaction(client, () => countLeft(client, journal, member.countedPosition(), log));
      journal.deleteCounted(journal.position());
    } finally {
      await member.leave();
      await journal.close();
    }
  } finally {
    await client.end();
    await unlock();
  }
}
