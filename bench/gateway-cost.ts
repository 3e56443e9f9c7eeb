import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { Client } from 'pg';
import { Pool } from 'undici';
import { migrate } from '#database/migrate.ts';
import { startEmbedded } from '#database/embedded.ts';
import { makeApiKey } from '#domain/api-key.ts';
import { addDays, dayOf } from '#domain/day.ts';
import { projectFolder } from '#platform/project-folder.ts';

/**
 * What the gateway costs beside the least that Node can do: processor time per call of a bare answer, of a plain proxy without checks
 * or counts (undici), and of the gateway with its exact and durable counts. Needs wrk (Debian). Run: npx tsx bench/gateway-cost.ts
 */

const seconds = Number(process.argv[2] ?? 6);
const rounds = Number(process.argv[3] ?? 3);
let sent = 0;
const role = process.env['BENCH_ROLE'];

function serveProduct(port: number): void {
  createServer((_req, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}')).listen(
    port,
  );
}

function servePlainProxy(port: number): void {
  const pool = new Pool('http://127.0.0.1:4891', { connections: 256, pipelining: 1 });
  createServer((req, res) => {
    pool.dispatch(
      { method: 'GET', path: req.url ?? '/', headers: ['x-a', 'b'] },
      {
        onRequestStart: () => {},
        onResponseStart: (controller, status) => {
          const raw = Array.isArray(controller.rawHeaders) ? controller.rawHeaders.map(String) : [];
          res.writeHead(
            status,
            raw.filter((_part, index) => !/^(connection|keep-alive)$/i.test(raw[index - (index % 2)] ?? '')),
          );
        },
        onResponseData: (_controller, chunk) => void res.write(chunk),
        onResponseEnd: () => void res.end(),
        onResponseError: () => void res.destroy(),
      },
    );
  }).listen(port);
}

if (role === 'product') serveProduct(4891);
else if (role === 'bare') serveProduct(4892);
else if (role === 'proxy') servePlainProxy(4893);
else await measure();

interface Peer {
  name: string;
  child: ChildProcess;
  url: string;
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'octroi-bench-'));
  const [gatewayFile, ownFile] = await bundle();
  const database = await startEmbedded({ dataDir: folder, logFile: join(folder, 'postgres.log') });
  const children: ChildProcess[] = [];
  const start = (file: string, env: Record<string, string>): ChildProcess => {
    const child = spawn(process.execPath, [file], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...env },
    });
    children.push(child);
    return child;
  };
  try {
    await migrate(database.databaseUrl);
    const key = await createCustomer(database.databaseUrl);
    start(ownFile, { BENCH_ROLE: 'product' });
    const peers: Peer[] = [
      { name: 'bare answer', child: start(ownFile, { BENCH_ROLE: 'bare' }), url: 'http://127.0.0.1:4892/v1/ok' },
      { name: 'plain proxy', child: start(ownFile, { BENCH_ROLE: 'proxy' }), url: 'http://127.0.0.1:4893/v1/ok' },
      {
        name: 'gateway',
        child: start(gatewayFile, {
          GATEWAY_PORT: '4894',
          DATABASE_URL: database.databaseUrl,
          DATA_DIR: folder,
          UPSTREAM_TAX_LOOKUP_API: 'http://127.0.0.1:4891',
        }),
        url: 'http://127.0.0.1:4894/tax-lookup/v1/ok',
      },
    ];
    for (const { url } of peers) await untilItAnswers(url);
    for (const peer of peers) run(peer, key, 2);
    for (let round = 0; round < rounds; round += 1) {
      for (const peer of peers) {
        const { calls, microseconds, summary } = run(peer, key, seconds);
        console.log(
          `${peer.name.padEnd(12)} ${calls} calls, ${microseconds.toFixed(1)} µs of processor time each; ${summary}`,
        );
      }
    }
    await sleep(800);
    await compareCounts(database.databaseUrl);
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await sleep(1500);
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As it ships: one file each. */
async function bundle(): Promise<[string, string]> {
  const outdir = projectFolder('node_modules', '.cache', 'octroi-bench');
  await build({
    entryPoints: [projectFolder('gateway', 'main.ts'), projectFolder('bench', 'gateway-cost.ts')],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return [join(outdir, 'gateway', 'main.mjs'), join(outdir, 'bench', 'gateway-cost.mjs')];
}

async function untilItAnswers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answered = await fetch(url).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    );
    if (answered !== undefined) return;
    await sleep(200);
  }
  throw new Error(`${url} does not answer`);
}

function run(peer: Peer, key: string, duration: number) {
  const before = processorTicks(peer.child.pid ?? 0);
  const output = execFileSync(
    'wrk',
    ['-t1', '-c50', `-d${duration}s`, '--latency', '-H', `X-API-Key: ${key}`, peer.url],
    { encoding: 'utf8' },
  );
  const calls = Number(/(\d+) requests in/.exec(output)?.[1] ?? 0);
  if (peer.name === 'gateway') sent += calls;
  const faults = /Non-2xx.*/.exec(output)?.[0] ?? '';
  const percentile = (name: string): string => new RegExp(`${name}%\\s+(\\S+)`).exec(output)?.[1] ?? '';
  const microseconds = ((processorTicks(peer.child.pid ?? 0) - before) * 10_000) / calls;
  return { calls, microseconds, summary: `p50 ${percentile('50')}, p99 ${percentile('99')} ${faults}` };
}

/** User and system time in hundredths of a second, as Linux counts it. */
function processorTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

async function createCustomer(databaseUrl: string): Promise<string> {
  const key = makeApiKey(randomBytes(90));
  const today = dayOf(Date.now());
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`insert into customers (id, google_sub, email, name, given_name, family_name, picture, created_at)
    values ('CUS-1', '1', 'a@b.example', 'A', 'A', 'A', '', now())`);
  await client.query(
    `insert into activations (id, customer_id, service_id, created_at) values ('ACT-1', 'CUS-1', 'tax-lookup-api', now())`,
  );
  await client.query(
    `insert into cycles (id, activation_id, customer_id, service_id, status, from_date, to_date, plan, tenure, price_paise, daily_quota,
       monthly_quota, rps, created_at, paid_at) values ('CYC-1', 'ACT-1', 'CUS-1', 'tax-lookup-api', 'PAID', $1, $2, $3, 'MONTHLY', 100,
       100000000, 1000000000, 100000, now(), now())`,
    [today, addDays(today, 30), JSON.stringify({ planId: 'growth', name: 'Growth' })],
  );
  await client.query(
    `insert into api_keys (id, activation_id, customer_id, name, key_hash, hint, created_at) values ('KEY-1', 'ACT-1', 'CUS-1', 'main', $1, '0000', now())`,
    [createHash('sha256').update(key).digest()],
  );
  await client.end();
  return key;
}

async function compareCounts(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const counted = await client.query('select sum(calls) as calls from usage_counts where counted');
  await client.end();
  console.log(
    `wrk saw ${sent} answers of the gateway; it counted ${counted.rows[0]?.calls} (wrk leaves its last calls in flight)`,
  );
}
