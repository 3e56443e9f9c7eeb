import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { listen } from '#gateway/http/server.ts';
import { accepts } from '#shared/platform/accepts.ts';
import { proxyNoticesMs } from '#shared/platform/close-server.ts';
import { freePort, freePorts } from '#shared/platform/free-ports.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { writeNginxFiles } from '#shared/platform/test-nginx.ts';
import { createCustomer, type Harness, openHarness, startTestGateway, countStatuses, usageOf } from './world.ts';

const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** Starts nginx with the shipped configuration, on the ports of this test. */
async function startNginx(folder: string, gateways: readonly string[]) {
  const port = await freePort();
  const shipped = readFileSync(projectFolder('ship', 'deploy', 'nginx', 'gateways.conf'), 'utf8');
  const [, options = ''] = /^ +server 127\.0\.0\.1:\d+(.*)$/m.exec(shipped) ?? [];
  const servers = gateways.map((url) => `  server ${new URL(url).host}${options}`).join('\n');
  const config = shipped
    .replace(/(?: +server 127\.0\.0\.1:\d+.*\n)+/, `${servers}\n`)
    .replace('listen 8080;', `listen 127.0.0.1:${port};`);
  expect(config).toContain(servers);
  const args = writeNginxFiles({
    folder,
    shipped: { name: 'gateways.conf', text: config },
    main: 'master_process off;',
  });
  const child = spawn('nginx', args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    await vi.waitUntil(() => accepts(port), { timeout: 60_000 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}

test.each(['gateways.conf', 'tls.conf'])(
  'by %s nginx closes an idle connection long before a stopping gateway would',
  (name) => {
    const config = readFileSync(projectFolder('ship', 'deploy', 'nginx', name), 'utf8');
    const [, seconds] = /keepalive \d+;[^}]*\n +keepalive_timeout (\d+)s;/.exec(config) ?? [];
    expect(Number(seconds) * 2000).toBeLessThanOrEqual(proxyNoticesMs);
  },
);

/** A port on which nothing ever accepts and connections don't open, as on a machine that is gone. */
async function startSilentPort() {
  const script = `const server = require('net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')).map(Number);
  child.kill('SIGSTOP');
  // The kernel takes some connections for the program, then none.
  const waiting: Socket[] = [];
  const isFull = async (): Promise<boolean> => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    waiting.push(socket);
    return Promise.race([once(socket, 'connect').then(() => false), sleep(1000, true)]);
  };
  while (!(await isFull()));
  const stop = async (): Promise<void> => {
    for (const socket of waiting) socket.destroy();
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

test.each(['gateways.conf', 'tls.conf'])('by %s nginx sends no request again that is only slow', (name) => {
  const config = readFileSync(projectFolder('ship', 'deploy', 'nginx', name), 'utf8');
  const secondsOf = (directive: string) =>
    [...config.matchAll(new RegExp(`^ +${directive} (\\d+)s;$`, 'gm'))].map(([, seconds]) => Number(seconds));
  const again = secondsOf('proxy_next_upstream_timeout');
  const waits = secondsOf('proxy_read_timeout');
  expect(again).toHaveLength(config.match(/^ +proxy_pass /gm)?.length ?? 0);
  expect(again.every((seconds, at) => seconds < (waits[at] ?? 0))).toBe(true);
});

// Debian: apt-get install nginx-light.
describe.skipIf(!hasNginx)('nginx in front of gateways that come and go (skipped where it is not installed)', () => {
  const keys = Array.from({ length: 20 }, (_, at) => `key-${at}`);
  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  });
  const startServer = async (port = 0) => {
    const server = createServer((_req, res) => void res.end('{}'));
    const url = await listen(server, port, '127.0.0.1');
    const stop = async (): Promise<void> => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    };
    undo.push(stop);
    return { url, stop };
  };
  const startProxy = async (gateways: readonly string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'octroi-nginx-'));
    undo.push(async () => rmSync(folder, { recursive: true }));
    const nginx = await startNginx(folder, gateways);
    undo.push(nginx.stop);
    /** GET and POST, with each key. */
    const callAll = async (): Promise<Record<number, number>> => {
      const methods = ['GET', 'POST'] as const;
      const calls = methods.flatMap((method) =>
        keys.map(async (key) => {
          const response = await request(`${nginx.url}/v1/x`, { method, headers: { 'x-api-key': key } });
          await response.body.dump();
          return { status: response.statusCode };
        }),
      );
      return countStatuses(await Promise.all(calls));
    };
    return callAll;
  };
  const all = { 200: 2 * keys.length };

  test('no call fails when one gateway goes as soon as the other is back, again and again', async () => {
    const [first = 0, second = 0] = await freePorts(2);
    const ports = [first, second];
    const callAll = await startProxy(ports.map((port) => `http://127.0.0.1:${port}`));
    let running = await startServer(second);
    for (let turn = 0; turn < 6; turn += 1) {
      // The calls of the other gateway's keys find it gone.
      expect(await callAll()).toEqual(all);
      const back = await startServer(ports[turn % 2]);
      await running.stop();
      running = back;
      expect(await callAll()).toEqual(all);
    }
  });

  test('no call fails when the machine of a gateway is gone', async () => {
    const [gone, running] = await Promise.all([startSilentPort(), startServer()]);
    undo.push(gone.stop);
    const callAll = await startProxy([gone.url, running.url]);
    expect(await callAll()).toEqual(all);
    expect(await callAll()).toEqual(all);
  });
});

describe.skipIf(!hasNginx)('behind nginx (skipped where the program nginx is not installed)', () => {
  let harness: Harness;
  let others: Gateway[] = [];
  let nginx: Awaited<ReturnType<typeof startNginx>> | undefined;
  beforeAll(async () => {
    harness = await openHarness();
    others = await Promise.all(
      ['second', 'third'].map((name) =>
        startTestGateway({ ...harness.setup, dataDir: `${harness.setup.dataDir}/${name}` }),
      ),
    );
    nginx = await startNginx(join(harness.setup.dataDir, 'nginx'), [
      harness.gateway.url,
      ...others.map(({ url }) => url),
    ]);
  });
  afterAll(async () => {
    await nginx?.stop();
    await Promise.all(others.map((gateway) => gateway.close()));
    await harness.close();
  });
  const call = async (key: string, bearer = false) => {
    const headers: Record<string, string> = bearer ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
    const response = await request(`${nginx?.url}/tax-lookup/v1/ok`, { headers, dispatcher: harness.agent });
    await response.body.dump();
    return { status: response.statusCode };
  };

  test('all calls of a key go to one of three gateways, whichever header has the key', async () => {
    const { pool } = harness.database;
    const used = new Set<string>();
    for (let round = 0; round < 9; round += 1) {
      const { key, activationId } = await createCustomer(pool);
      const responses = await Promise.all(Array.from({ length: 6 }, (_, index) => call(key, index % 2 === 0)));
      expect(countStatuses(responses)).toEqual({ 200: 6 });
      const leases = await pool.query<{ journal_id: string }>(
        'select distinct journal_id from leases where activation_id = $1',
        [activationId],
      );
      expect(leases.rows.length).toBeLessThanOrEqual(1);
      for (const { journal_id: gateway } of leases.rows) used.add(gateway);
    }
    expect(used.size).toBeGreaterThan(1);
  });

  test('when a gateway stops, the others serve its keys, and every call is counted', async () => {
    const customers = await Promise.all(Array.from({ length: 9 }, () => createCustomer(harness.database.pool)));
    const callAll = () => Promise.all(customers.map(({ key }) => call(key)));
    expect(countStatuses(await callAll())).toEqual({ 200: 9 });
    await others.pop()?.close();
    expect(countStatuses(await callAll())).toEqual({ 200: 9 });
    expect(countStatuses(await callAll())).toEqual({ 200: 9 });
    for (const { activationId } of customers) {
      await expect.poll(() => usageOf(harness.database.pool, activationId)).toEqual({ counted: 3, free: 0 });
    }
  });
});
