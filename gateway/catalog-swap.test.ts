import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { SoundFiles } from '#catalog/catalog-files.ts';
import { applyCatalog, newestCatalogVersion, UnfitCatalog } from '#shared/database/catalog-versions.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { listen } from '#gateway/http/server.ts';
import { createCustomer, type Harness, openHarness, startTestGateway } from '#gateway/test/world.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-swap-'));
const log = { error: () => {} };
const upstreams: Server[] = [];
const addresses: string[] = [];
let harness: Harness;
let gateways: Gateway[] = [];
let key = '';

/** Says which of the two it is and which catalogue the gateway sent the call under, after a while. */
async function startUpstream(name: string): Promise<string> {
  const server = createServer((req, res) => {
    const [, path = ''] = /^(\/[^/]+)\/v1/.exec(req.url ?? '') ?? [];
    const body = JSON.stringify({ upstream: name, base: path, sent: req.headers['x-catalog'] });
    const finish = () => res.end(body.slice(1));
    setTimeout(() => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.write(body.slice(0, 1));
      // A response that is still streaming when the catalogue changes.
      setTimeout(finish, Math.random() * 60);
    }, Math.random() * 30);
  });
  upstreams.push(server);
  return listen(server, 0, '127.0.0.1');
}

/** A catalogue in which address, base path and headers of the product tell its number. */
function catalogNumber(number: number, more: object = {}): Promise<SoundFiles> {
  const file = join(folder, 'tax-lookup-api.yaml');
  const product: Record<string, unknown> = parse(
    readFileSync(projectFolder('ship', 'standins', 'catalog', 'tax-lookup-api.yaml'), 'utf8'),
  );
  const header = { 'X-Catalog': String(number) };
  const changed = {
    ...product,
    upstreamUrl: `${addresses[number % 2]}/base-${number % 3}`,
    sandbox: undefined,
    gateway: { requestHeaders: { add: header }, responseHeaders: { add: header }, ...more },
  };
  writeFileSync(file, stringify(changed));
  return SoundFiles.in(folder);
}

const apply = async (number: number, more?: object) =>
  applyCatalog({ db: harness.database.db, log }, await catalogNumber(number, more), {
    author: 'test',
    reason: `Catalogue ${number}`,
  });

/** Applies it and waits until no gateway can serve an older one: one that is held up confirms late. Tells whether all have confirmed. */
async function putInEffect(number: number): Promise<boolean> {
  const { effectiveBy } = await apply(number);
  if (effectiveBy !== null) await sleep(Math.max(0, Date.parse(effectiveBy) - Date.now()));
  return effectiveBy === null;
}

beforeAll(async () => {
  addresses.push(await startUpstream('even'), await startUpstream('odd'));
  harness = await openHarness();
  ({ key } = await createCustomer(harness.database.pool, { daily: 1_000_000, monthly: 10_000_000, rps: 100_000 }));
  await catalogNumber(1);
  const { setup } = harness;
  for (const name of ['first', 'second'])
    gateways.push(await startTestGateway({ ...setup, dataDir: `${setup.dataDir}/${name}` }, { catalogFolder: folder }));
});
afterAll(async () => {
  await Promise.all(gateways.map(({ close }) => close()));
  await harness.close();
  for (const server of upstreams) {
    server.closeAllConnections();
    await once(server.close(), 'close');
  }
  rmSync(folder, { recursive: true });
});

/** The number of the catalogue that served a call; throws if parts of two did. */
async function catalogOf(url: string): Promise<number> {
  const { status, headers, json, text } = await harness.call(key, { url });
  if (status !== 200) throw new Error(`status ${status}: ${text}`);
  const number = Number(headers['x-catalog']);
  expect(json).toEqual({
    upstream: number % 2 === 0 ? 'even' : 'odd',
    base: `/base-${number % 3}`,
    sent: String(number),
  });
  return number;
}

test('under load, changing the catalogue fails no call, mixes no two catalogues, and applies to every call after it', async () => {
  let applied = 1;
  let calls = 0;
  let late = 0;
  const ended = new AbortController();
  const seen = new Set<number>();
  const caller = async (url: string): Promise<void> => {
    while (!ended.signal.aborted) {
      const atStart = applied;
      const number = await catalogOf(url);
      if (number < atStart) late += 1;
      seen.add(number);
      calls += 1;
    }
  };
  const callers = gateways.flatMap(({ url }) => Array.from({ length: 12 }, () => caller(url)));
  const failures = Promise.all(callers);
  let confirmed = 0;
  for (let number = 2; number <= 21; number += 1) {
    const before = calls;
    if (await putInEffect(number)) confirmed += 1;
    applied = number;
    await vi.waitUntil(() => calls > before + 30, { interval: 5, timeout: 60_000 });
  }
  ended.abort();
  await failures;
  expect(late).toBe(0);
  expect(confirmed).toBeGreaterThan(0);
  expect(seen.size).toBeGreaterThan(15);
});

test('a catalogue that a gateway cannot serve is refused with the reason, and the one before stays', async () => {
  const before = await newestCatalogVersion(harness.database.db);
  const number = await catalogOf(gateways[0]?.url ?? '');
  const credentials = [{ type: 'bearer', token: { env: 'CATALOG_SECRET_NOBODY_SET' } }];
  await expect(apply(30, { credentials })).rejects.toThrow(UnfitCatalog);
  await expect(apply(31, { credentials })).rejects.toThrow(/CATALOG_SECRET_NOBODY_SET is not set/);
  expect(await newestCatalogVersion(harness.database.db)).toBe(before);
  for (const { url } of gateways) expect(await catalogOf(url)).toBe(number);
  // The next one is not in its way.
  await putInEffect(32);
  for (const { url } of gateways) expect(await catalogOf(url)).toBe(32);
});

test('a gateway that lost its listening connection serves the newest catalogue before it confirms anything', async () => {
  const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'octroi gateway listener' and datname = current_database()`;
  for (let number = 40; number < 45; number += 1) {
    await end.execute(harness.database.db);
    const { effectiveBy } = await apply(number);
    if (effectiveBy === null) await sleep(1);
    await expect.poll(() => catalogOf(gateways[1]?.url ?? '')).toBe(number);
  }
});

test('a gateway that starts serves the version in effect, whatever the files beside it say', async () => {
  await apply(50);
  await catalogNumber(51);
  const { setup } = harness;
  const third = await startTestGateway({ ...setup, dataDir: `${setup.dataDir}/third` }, { catalogFolder: folder });
  gateways = [...gateways, third];
  expect(await catalogOf(third.url)).toBe(50);
  await putInEffect(52);
  expect(await catalogOf(third.url)).toBe(52);
});

test('the database keeps every version as it was applied, also from its owner', async () => {
  const { pool } = harness.database.owner;
  await expect(pool.query(`update catalog_versions set author = 'nobody' where version = 1`)).rejects.toThrow(
    /stays what it is/,
  );
  await expect(pool.query('delete from catalog_versions')).rejects.toThrow(/never changed/);
  await expect(
    pool.query(`insert into catalog_version_files select 1, 'more.yaml', sha256 from catalog_files limit 1`),
  ).rejects.toThrow(/stays what it is/);
  await expect(pool.query(`update catalog_files set content = 'x'`)).rejects.toThrow(/never changed/);
});
