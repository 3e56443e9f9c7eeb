import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { openPool } from '#database/clients.ts';
import { valueParsers } from '#database/value-parsers.ts';
import { joinGateways } from '#gateway/access/membership.ts';
import { openJournal } from '#gateway/journal/journal.ts';
import { lockJournal } from '#gateway/journal/lock.ts';
import { catchUp } from '#gateway/quota/counting.ts';
import { checkedRows } from '#platform/checked-rows.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog, type Log } from '#platform/log.ts';
import { ConfigFaults } from '#platform/read-config.ts';
import { readGatewayConfig } from './config.ts';

const ignore = (): void => {};
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Retires a gateway that will not be started again: counts the calls in its journal and releases its leases. Only its journal knows which
 * units it used, so nothing else releases them. Throws while a gateway is using the journal.
 */
export async function settleJournal(databaseUrl: string, journalDir: string, log: Log): Promise<void> {
  const unlock = await lockJournal(journalDir);
  const pool = openPool({ connectionString: databaseUrl, max: 1, types: valueParsers }, ignore);
  try {
    const journal = openJournal(journalDir, systemClock);
    const catalog = { onPrepare: ignore, onUse: () => true, onReconnected: async () => {} };
    const events = { onActivation: ignore, onMissedChanges: ignore, onQuota: ignore, catalog };
    const member = await joinGateways(databaseUrl, journal.id, events, log);
    try {
      await catchUp(pool, journal, member.countedPosition(), log);
    } finally {
      await member.leave();
      await journal.close();
    }
  } finally {
    await pool.end();
    await unlock();
  }
}

const unsettledJournal = z.object({
  id: z.string(),
  /** Units of customers' quotas on lease. */
  held: z.number(),
});
export type UnsettledJournal = z.output<typeof unsettledJournal>;

/** Journals that hold leases although their gateway has been gone for a minute. */
export async function listUnsettled(databaseUrl: string): Promise<UnsettledJournal[]> {
  const pool = openPool({ connectionString: databaseUrl, max: 1, types: valueParsers }, ignore);
  try {
    const found = await pool.query(
      `select l.journal_id as id, sum(l.held)::int as held from leases l left join gateways g on g.journal_id = l.journal_id
       where g.lease_until is null or g.lease_until < clock_timestamp() - interval '1 minute'
       group by l.journal_id having sum(l.held) > 0 order by l.journal_id`,
    );
    return checkedRows(unsettledJournal, found);
  } finally {
    await pool.end();
  }
}

/** `npm run settle-journal -- FOLDER`; without a folder it lists unsettled journals. */
async function main([folder]: string[]): Promise<void> {
  const config = readGatewayConfig({ env: process.env });
  if (folder === undefined) {
    const unsettled = await listUnsettled(config.databaseUrl);
    for (const { id, held } of unsettled)
      print(`journal ${id} (the file "id" in its folder) holds a quota of ${held} calls`);
    if (unsettled.length === 0) print('No stopped gateway holds any quota.');
    return;
  }
  await settleJournal(config.databaseUrl, folder, createLog('gateway', { level: config.logLevel }));
  print(`All calls in ${folder} are counted and its quota is released.`);
}

if (process.argv[1] !== undefined && pathToFileURL(resolve(process.argv[1])).href === import.meta.url) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    const expected = error instanceof ConfigFaults;
    process.stderr.write(`${expected || !(error instanceof Error) ? String(error) : error.message}\n`);
    process.exit(1);
  });
}
