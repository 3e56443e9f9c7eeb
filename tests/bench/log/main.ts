import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openClient } from '#shared/database/clients.ts';
import { connect } from '#shared/database/connect.ts';
import { refusalCodes } from '#shared/domain/call-problem.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { createLog } from '#shared/platform/log.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { openClickHouse, selectRows } from '#shared/request-log/clickhouse.ts';
import type { LogFilter, LogReader, LogWriter, Place } from '#shared/request-log/log.ts';
import { withCold } from '#shared/request-log/cold-reader.ts';
import { openColdStore } from '#shared/request-log/cold-store.ts';
import { postgresReader } from '#shared/request-log/postgres-reader.ts';
import { openLogReader, openLogWriter } from '#shared/request-log/open.ts';
import { getEngine } from '#ship/launch/clickhouse.mjs';
import { startClickHouse } from '#ship/standins/clickhouse/engine.ts';
import { say, startServer, writeTable } from '#tests/bench/portal/fill.ts';
import { spread, spreadText } from '#tests/bench/portal/spread.ts';
import { batchesOf, busy, type LoggedDay } from './batches.ts';

/**
 * Compares the places of the request log: the same calls, most of them of one busy activation, are logged in each in turns and read in turns, through the
 * code of gateways and portals. At the end the days in PostgreSQL go cold, in a folder, and are read again. `-- --write` puts the table into docs/performance.md,
 * one for each million of `--calls`.
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

interface LogPlace {
  name: string;
  writer: LogWriter;
  reader: LogReader;
  /** Bytes on disk. */
  size: () => Promise<number>;
}

const firstDay = addDays(dayOf(Date.now()), -days);
/** Calls in a statement of a gateway. */
const atOnce = 5000;

/** Logs all days in all places in turns; returns the milliseconds of each. */
async function logAll(places: readonly LogPlace[]): Promise<number[]> {
  const taken = places.map(() => 0);
  for (let day = 0; day < days; day += 1) {
    const logged: LoggedDay = { day: addDays(firstDay, day), calls: perDay };
    // What a gateway has anyway is made before the clock runs.
    for (const batches of batchesOf(logged, atOnce)) {
      for (const [at, { writer }] of places.entries()) {
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

/** Page after page until enough calls are found, or none are left. */
async function readPages(reader: LogReader, filter: LogFilter, limit: number, enough: number): Promise<number> {
  let calls = 0;
  let after: Place | undefined;
  do {
    const page = await reader.page(busy, filter, { after, limit });
    calls += page.calls.length;
    if (page.next === null) break;
    after = page.next;
  } while (calls < enough);
  return calls;
}

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, each) => sum + each, 0);
const callsOf = (rows: readonly { calls: number }[]): number => sumOf(rows.map(({ calls }) => calls));

/** What pages ask, as numbers that must be the same in each place; `notOld`: no page asks it of days that may be cold. */
const reads: readonly [string, (reader: LogReader, id: string) => Promise<number>, 'notOld'?][] = [
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
  ['a call by its id, in an activation', async (reader, id) => readPages(reader, { q: id }, 50, 1)],
  ['20,000 calls of an export', async (reader) => readPages(reader, {}, 1000, 20_000)],
  ['a call by its id, of anybody', async (reader, id) => Number((await reader.find(id)) !== undefined), 'notOld'],
  ['today’s problems and calls', async (reader) => callsOf(await reader.problems(busy, middle)), 'notOld'],
  ['a month’s counts by day', async (reader) => sumOf((await reader.countedSince(busy, firstDay)).values()), 'notOld'],
  [
    'refused calls of all in a month, by day',
    async (reader) => callsOf(await reader.refusedIn({ from: firstDay, to: addDays(firstDay, days) }, refusalCodes)),
  ],
];

const mb = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
async function openPlaces(databaseUrl: string, clickHouseUrl: string): Promise<LogPlace[]> {
  const log = createLog('gateway', { level: 'error' });
  const opened = async (name: string, url: string, size: LogPlace['size']): Promise<LogPlace> => {
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

/** Moves all days of a log in PostgreSQL into a folder; returns what then reads them. */
async function goCold(databaseUrl: string, place: string) {
  const [{ db, close }, firstHotDay] = [
    connect(databaseUrl, { applicationName: 'octroi bench' }),
    addDays(firstDay, days),
  ];
  const store = openColdStore({ requestLogColdPlace: place, requestLogColdS3Region: '' });
  const reader = withCold(postgresReader(db), { db, store, firstHotDay: () => firstHotDay });
  const began = performance.now();
  let moved = 0;
  while (moved < days) moved += (await reader.moveDays?.(firstHotDay)) ?? 0;
  const ms = performance.now() - began;
  const files = readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(place, name)));
  const bytes = files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
  return { reader, ms, bytes, close };
}

/** The times of a read in some places, in turns, after one that is not measured; all must find the same. */
async function timesOf([name, read]: (typeof reads)[number], readers: readonly LogReader[], found: Set<number>) {
  const id = sought();
  const times: number[][] = readers.map(() => []);
  for (let turn = -1; turn < Number(options.times); turn += 1) {
    for (const [at, reader] of readers.entries()) {
      const began = performance.now();
      found.add(await read(reader, id));
      if (turn >= 0) times[at]?.push(performance.now() - began);
    }
  }
  if (found.size !== 1) throw new Error(`${name}: the places found ${[...found].join(' and ')}`);
  return times.map(spread);
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
      const sizeText = (bytes: number): string => `${mb(bytes)}, ${(bytes / total).toFixed(1)} bytes a call`;
      const speedText = (ms: number): string => Math.round((total / ms) * 1000).toLocaleString('en');
      const found = reads.map(() => new Set<number>());
      const measured: Awaited<ReturnType<typeof timesOf>>[] = [];
      for (const [at, read] of reads.entries()) {
        measured.push(
          await timesOf(
            read,
            places.map(({ reader }) => reader),
            found[at] ?? new Set(),
          ),
        );
        say(`${read[0]}: ${measured.at(-1)?.map(spreadText).join(' and ')}`);
      }
      const coldFolder = join(folder, 'cold');
      mkdirSync(coldFolder);
      const cold = await goCold(postgres.databaseUrl, coldFolder);
      const rows = [
        `| ${total.toLocaleString('en')} calls in ${days} days | ${places.map(({ name }) => name).join(' | ')} | times | cold files |`,
        '|---|---:|---:|---:|---:|',
      ];
      const add = (name: string, cells: readonly string[], [one = 0, other = 0]: readonly number[], ofCold: string) => {
        rows.push(`| ${name} | ${cells.join(' | ')} | ${(other / one).toFixed(2)} | ${ofCold} |`);
        say(rows.at(-1) ?? '');
      };
      const speeds = taken.map((ms) => 1 / ms);
      add('calls logged in a second; cold: moved', taken.map(speedText), speeds, speedText(cold.ms));
      add('on disk', sizes.map(sizeText), sizes, sizeText(cold.bytes));
      for (const [at, read] of reads.entries()) {
        const spreads = measured[at] ?? [];
        const [, , notOld] = read;
        const ofCold = notOld === undefined ? await timesOf(read, [cold.reader], found[at] ?? new Set()) : [];
        add(
          read[0],
          spreads.map(spreadText),
          spreads.map(([p50]) => p50),
          ofCold.map(spreadText)[0] ?? '–',
        );
      }
      await cold.close();
      if (options.write) writeTable(`log-${Math.round(total / 1e6)}`, rows);
    },
    async () => {
      await clickHouse.close();
      await postgres.stop();
      rmSync(folder, { recursive: true });
    },
  );
}

await main();
