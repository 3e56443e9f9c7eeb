import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { builtProgram } from '#shared/platform/built-program.ts';
import { freePort, freePorts } from '#shared/platform/free-ports.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { patientGateway } from '#shared/platform/test-patience.ts';
import { openClient } from '#shared/database/clients.ts';
import { type EmbeddedServer, removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { isAlive } from '#shared/database/postmaster.ts';
import { type RunningProgram, spawnProgram } from './test-programs.ts';
import { customersSql } from '#shared/database/test-customers.ts';

/** The real programs, each in its own process, on a PostgreSQL that is stopped and started while they run. */

const folder = mkdtempSync(join(tmpdir(), 'octroi-restart-'));
const dataDir = join(folder, 'data');
const programs: Record<string, RunningProgram> = {};
const token = randomBytes(32).toString('base64url');
let postgres: EmbeddedServer;
let urls = { portal: '', gateway: '', taxLookup: '', invoicing: '' };

const at = (port: number) => `http://127.0.0.1:${port}`;
const startPostgres = () => startEmbedded({ dataDir, logFile: join(folder, 'postgres.log'), durable: true });

/** An immediate shutdown: no PostgreSQL process finishes its work. */
async function crashPostgres(): Promise<void> {
  process.kill(postgres.pid, 'SIGQUIT');
  await vi.waitUntil(() => !isAlive(postgres.pid), { timeout: 60_000, interval: 20 });
}

async function onDatabase<Result>(work: (query: ReturnType<typeof openClient>) => Promise<Result>): Promise<Result> {
  const client = openClient({ connectionString: postgres.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

beforeAll(async () => {
  // Under root PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  mkdirSync(dataDir);
  // While PostgreSQL is stopped, no connection of another program takes this port.
  writeFileSync(join(dataDir, 'postgres-port'), String(await freePort()));
  postgres = await startPostgres();
  await migrate(postgres.databaseUrl);
  const [portal = 0, gateway = 0, taxLookup = 0, invoicing = 0] = await freePorts(4);
  const ports = { portal, gateway, taxLookup, invoicing };
  urls = { portal: at(portal), gateway: at(gateway), taxLookup: at(taxLookup), invoicing: at(invoicing) };
  const env = {
    DATABASE_URL: postgres.databaseUrl,
    CATALOG_DIR: projectFolder('ship', 'standins', 'catalog'),
    DATA_DIR: dataDir,
    PORTAL_PORT: String(ports.portal),
    GATEWAY_PORT: String(ports.gateway),
    TAX_LOOKUP_PORT: String(ports.taxLookup),
    INVOICING_PORT: String(ports.invoicing),
    UPSTREAM_TAX_LOOKUP_API: urls.taxLookup,
    UPSTREAM_INVOICING_SYSTEM: urls.invoicing,
    ...patientGateway,
    GOOGLE_CLIENT_ID: 'nobody.apps.googleusercontent.com',
    RAZORPAY_KEY_ID: 'rzp_test_0000000000nobo',
    RAZORPAY_KEY_SECRET: randomBytes(12).toString('hex'),
    RAZORPAY_WEBHOOK_SECRET: randomBytes(12).toString('hex'),
  };
  for (const name of ['portal', 'gateway', 'products']) programs[name] = spawnProgram(builtProgram(name), env);
  await onDatabase(async (client) => {
    await client.query(customersSql(`values ('CUS-1', 'a@b.example', 'A', 'A', 'A', '', now())`));
    await client.query(
      `insert into sessions (token_hash, member_id, created_at, last_used_at, expires_at)
       values ($1, 'MEM-1', now(), now(), now() + interval '12 hours')`,
      [createHash('sha256').update(token).digest()],
    );
  });
  await vi.waitUntil(allHealthy, { timeout: 120_000, interval: 100 });
}, 180_000);

afterAll(async () => {
  for (const { child, ended } of Object.values(programs)) {
    child.kill('SIGKILL');
    await ended;
  }
  await removeEmbedded(dataDir);
});

const portal = (method: string, path: string, body?: object) =>
  fetch(`${urls.portal}/backend${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
const takeNumber = (key: string) =>
  fetch(`${urls.invoicing}/v1/numbers`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      'x-octroi-activation': 'ACT-1',
      'x-octroi-plan': 'growth',
    },
    body: JSON.stringify({ series: 'TPX', date: '2026-11-02' }),
  });
const callApi = (key: string) => fetch(`${urls.gateway}/tax-lookup/v1/states`, { headers: { 'x-api-key': key } });
const isOk = (asked: Promise<Response>) =>
  asked.then(
    (response) => response.ok,
    () => false,
  );

async function allHealthy(): Promise<boolean> {
  for (const [name, { child, output }] of Object.entries(programs)) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${output()}`);
  }
  const asked = [`${urls.portal}/backend/health`, `${urls.gateway}/health`, `${urls.invoicing}/health`];
  return (await Promise.all(asked.map((url) => isOk(fetch(url))))).every(Boolean);
}

interface NewKey {
  id: string;
  apiKey: string;
}

async function createKey(activationId: string, keyName: string): Promise<NewKey> {
  const response = await portal('POST', `/devportal/services/${activationId}/apikeys/generate`, { keyName });
  const key: unknown = await response.json();
  if (!isNewKey(key)) throw new Error(`no key: ${JSON.stringify(key)}`);
  return key;
}

function isNewKey(value: unknown): value is NewKey {
  return typeof value === 'object' && value !== null && 'apiKey' in value && 'id' in value;
}

test('every process survives three restarts of PostgreSQL: running calls get 503 with Retry-After, and everything recovers by itself', async () => {
  const activated = await portal('POST', '/marketplace/tax-lookup-api/plans/trial/activate', {});
  const { activationId } = z.object({ activationId: z.string() }).parse(await activated.json());
  // The products create their tables on first use.
  expect((await takeNumber('first')).status).toBe(200);
  const processes = Object.values(programs).map(({ child }) => child.pid);

  for (const round of [1, 2, 3]) {
    const key = await createKey(activationId, `k${round}`);
    expect((await callApi(key.apiKey)).status).toBe(200);

    // Three statements wait for these locks: one of a read, one of a transaction that writes, and one of a job.
    const locks = openClient({ connectionString: postgres.databaseUrl });
    await locks.connect();
    await locks.query('begin');
    await locks.query('lock table api_keys, products.numbers, request_log in access exclusive mode');
    const onTheirWay = [
      portal('GET', `/devportal/services/${activationId}/apikeys`),
      portal('POST', `/devportal/services/${activationId}/apikeys/generate`, { keyName: `a${round}` }),
      takeNumber(`before-${round}`),
    ];
    const jobs = await onDatabase((client) =>
      client.query<{ id: string }>(`insert into pgboss.job (name, data) values ('clean-up', '{}') returning id`),
    );
    const jobId = jobs.rows[0]?.id;
    await onDatabase((client) =>
      vi.waitUntil(
        async () => {
          const waiting = await client.query<{ application_name: string }>(
            `select application_name from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          );
          const names = waiting.rows.map((row) => row.application_name);
          return (
            names.filter((name) => name.startsWith('octroi portal ')).length >= 3 &&
            names.some((name) => name.startsWith('octroi products '))
          );
        },
        { timeout: 60_000, interval: 50 },
      ),
    );

    // In an orderly stop a statement may still get its lock and finish; in a crash none does.
    const isOrderly = round === 2;
    if (isOrderly) await postgres.stop();
    else await crashPostgres();
    for (const response of await Promise.all(onTheirWay)) {
      expect(isOrderly ? [200, 503] : [503]).toContain(response.status);
      const retryAfter = Number(response.headers.get('retry-after') ?? 0);
      expect(retryAfter > 0).toBe(response.status === 503);
    }
    const meanwhile = await portal('GET', '/account');
    expect(meanwhile.status).toBe(503);
    expect(await meanwhile.json()).toMatchObject({
      code: 'unavailable',
      message: expect.not.stringContaining('Nothing'),
    });
    await vi.waitUntil(async () => (await callApi(key.apiKey)).status === 503, { timeout: 60_000, interval: 100 });

    postgres = await startPostgres();
    await locks.end().catch(() => {});
    await vi.waitUntil(
      async () =>
        (await allHealthy()) &&
        (await isOk(portal('GET', `/devportal/services/${activationId}/apikeys`))) &&
        (await isOk(takeNumber(`after-${round}`))) &&
        (await isOk(callApi(key.apiKey))),
      { timeout: 60_000, interval: 100 },
    );

    // The gateway listens again: it receives a revocation before the portal responds, or a busy one by the time in the response.
    const revoked = await portal('DELETE', `/devportal/services/${activationId}/apikeys/${key.id}`);
    expect(revoked.status).toBe(200);
    const { effectiveBy } = z.object({ effectiveBy: z.string().nullable() }).parse(await revoked.json());
    if (effectiveBy !== null) await sleep(Date.parse(effectiveBy) - Date.now());
    expect((await callApi(key.apiKey)).status).toBe(401);

    // The job was interrupted and runs again.
    await expect
      .poll(
        () =>
          onDatabase(async (client) => {
            const job = await client.query<{ state: string }>('select state from pgboss.job where id = $1', [jobId]);
            return job.rows[0]?.state;
          }),
        { timeout: 60_000, interval: 200 },
      )
      .toBe('completed');
  }
  expect(Object.values(programs).map(({ child }) => child.pid)).toEqual(processes);
  expect(Object.values(programs).map(({ child }) => child.exitCode)).toEqual([null, null, null]);
}, 240_000);
