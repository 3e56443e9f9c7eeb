import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openClient } from '#shared/database/clients.ts';
import { refusalCodes } from '#shared/domain/call-problem.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { createLog } from '#shared/platform/log.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { openClickHouse, selectRows } from '#shared/request-log/clickhouse.ts';
import type { LogReader, LogWriter } from '#shared/request-log/log.ts';
import { openLogReader, openLogWriter } from '#shared/request-log/open.ts';
import { getEngine } from '#ship/launch/clickhouse.mjs';
import { startClickHouse } from '#ship/standins/clickhouse/engine.ts';
import { say, startServer, writeTable } from '#tests/bench/portal/fill.ts';
import { spread, spreadText } from '#tests/bench/portal/spread.ts';
import { batchesOf, busy, type LoggedDay } from './batches.ts';

/**
 * Compares the places of the request log: the same calls, most of them of one busy activation, are logged in each in turns and read in turns, through the
 * code of gateways and portals. `-- --write` puts the table into docs/performance.md.
 */
const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000000' },
    days: { type: 'string', default: '30' },
    times: { type: 'string', default: '20' },
    write: { type: 'boolean', default: false },
  },
});
const days = Number(options.days);
const perDay = Math.floor(Number(options.calls) / days);

interface Place {
  name: string;
  writer: LogWriter;
  reader: LogReader;
  /** Bytes on disk. */
  size: () => Promise<number>;
}

const firstDay = addDays(dayOf(Date.now()), -days);
/** Calls in a statement of a gateway. */
const atOnce = 5000;

/** Logs all days in all places, a day here and then there; returns the milliseconds of each. */
async function logAll(places: readonly Place[]): Promise<number[]> {
  const taken = places.map(() => 0);
  for (let day = 0; day < days; day += 1) {
    const logged: LoggedDay = { day: addDays(firstDay, day), calls: perDay };
    for (const [at, { writer }] of places.entries()) {
      for (const batches of batchesOf(logged, atOnce)) {
        // What a gateway has anyway is made before the clock runs.
        const began = performance.now();
        await writer.append(batches);
        taken[at] = (taken[at] ?? 0) + performance.now() - began;
      }
    }
    say(`${logged.day}: logged`);
  }
  return taken;
}

const middle = addDays(firstDay, Math.floor(days / 2));
const sought = (): string => {
  const [batches] = batchesOf({ day: middle, calls: perDay }, atOnce);
  const id = batches?.[0]?.list[0]?.requestId;
  if (id === undefined) throw new Error('nothing was logged');
  return id;
};

/** What pages ask. */
const reads: readonly [string, (reader: LogReader, id: string) => Promise<number>][] = [
  [
    'the newest 50 calls',
    async (reader) => (await reader.page(busy, {}, { after: undefined, limit: 50 })).calls.length,
  ],
  [
    'a day’s page: 50 failed calls of a day in the middle',
    async (reader) => {
      const filter = { from: middle, to: middle, status: '4xx' };
      return (await reader.page(busy, filter, { after: undefined, limit: 50 })).calls.length;
    },
  ],
  [
    'a call by its id, in an activation',
    async (reader, id) => (await reader.page(busy, { q: id }, { after: undefined, limit: 50 })).calls.length,
  ],
  ['a call by its id, of anybody', async (reader, id) => Number((await reader.find(id)) !== undefined)],
  ['today’s problems and calls', async (reader) => (await reader.problems(busy, middle)).length],
  ['a month’s counts by day', async (reader) => (await reader.countedSince(busy, firstDay)).size],
  [
    'refused calls of all in a month, by day',
    async (reader) => (await reader.refusedIn({ from: firstDay, to: addDays(firstDay, days) }, refusalCodes)).length,
  ],
];

const mb = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
async function openPlaces(databaseUrl: string, clickHouseUrl: string): Promise<Place[]> {
  const log = createLog('gateway', { level: 'error' });
  const opened = async (name: string, url: string, size: Place['size']): Promise<Place> => {
    const reader = await openLogReader(url, 'octroi bench');
    for (let day = 0; day < days; day += 7) await reader.prepare(addDays(firstDay, day));
    return { name, reader, writer: await openLogWriter(url, log), size };
  };
  return [
    await opened('PostgreSQL', databaseUrl, async () => {
      const client = openClient({ connectionString: databaseUrl });
      await client.connect();
      const { rows } = await client.query<{ bytes: string }>(
        `select sum(pg_total_relation_size(inhrelid)) as bytes from pg_inherits where inhparent = 'request_log'::regclass`,
      );
      await client.end();
      return Number(rows[0]?.bytes);
    }),
    await opened('ClickHouse', clickHouseUrl, async () => {
      const clickHouse = openClickHouse(clickHouseUrl);
      const query =
        'select sum(bytes_on_disk) as bytes from system.parts where active and database = currentDatabase()';
      const [parts] = await selectRows(clickHouse, z.object({ bytes: z.coerce.number() }), query, {});
      await clickHouse.client.close();
      return parts?.bytes ?? 0;
    }),
  ];
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'octroi-bench-log-'));
  const postgres = await startServer();
  const clickHouse = await startClickHouse({ engine: await getEngine(), folder });
  await withCleanUp(
    async () => {
      const places = await openPlaces(postgres.databaseUrl, clickHouse.database('octroi'));
      const total = perDay * days;
      const taken = await logAll(places);
      const sizes = await Promise.all(places.map(({ size }) => size()));
      const rows = [
        `| ${total.toLocaleString('en')} calls in ${days} days | ${places.map(({ name }) => name).join(' | ')} | times |`,
        '|---|---:|---:|---:|',
      ];
      const add = (name: string, cells: readonly string[], [one = 0, other = 0]: readonly number[]): void => {
        rows.push(`| ${name} | ${cells.join(' | ')} | ${(other / one).toFixed(2)} |`);
        say(rows.at(-1) ?? '');
      };
      const speeds = taken.map((ms) => (total / ms) * 1000);
      add(
        'calls logged in a second',
        speeds.map((speed) => Math.round(speed).toLocaleString('en')),
        speeds,
      );
      add(
        'on disk',
        sizes.map((bytes) => `${mb(bytes)}, ${(bytes / total).toFixed(1)} bytes a call`),
        sizes,
      );
      const id = sought();
      for (const [name, read] of reads) {
        const times: number[][] = places.map(() => []);
        const found = new Set<number>();
        for (let turn = -1; turn < Number(options.times); turn += 1) {
          for (const [at, { reader }] of places.entries()) {
            const began = performance.now();
            found.add(await read(reader, id));
            if (turn >= 0) times[at]?.push(performance.now() - began);
          }
        }
        if (found.size !== 1) throw new Error(`${name}: the places found ${[...found].join(' and ')}`);
        const spreads = times.map(spread);
        add(
          name,
          spreads.map(spreadText),
          spreads.map(([p50]) => p50),
        );
      }
      if (options.write) writeTable('log', rows);
    },
    async () => {
      await clickHouse.close();
      await postgres.stop();
      rmSync(folder, { recursive: true });
    },
  );
}

await main();
