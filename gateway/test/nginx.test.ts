import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { proxyNoticesMs } from '#platform/close-server.ts';
import { freePort } from '#platform/free-ports.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { createCustomer, type Harness, openHarness, startTestGateway, countStatuses, usageOf } from './world.ts';

const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** Starts nginx with the shipped configuration, on the ports of this test. */
async function startNginx(folder: string, gateways: readonly string[]) {
  const port = await freePort();
  const shipped = readFileSync(projectFolder('deploy', 'nginx', 'gateways.conf'), 'utf8');
  const servers = gateways.map((url) => `  server ${new URL(url).host} max_fails=1 fail_timeout=2s;`).join('\n');
  const config = shipped
    .replace(/(?: +server 127\.0\.0\.1:\d+ [^\n]*\n)+/, `${servers}\n`)
    .replace('listen 8080;', `listen 127.0.0.1:${port};`);
  expect(config).toContain(servers);
  mkdirSync(folder, { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  writeFileSync(join(folder, 'gateways.conf'), config);
  copyFileSync(projectFolder('deploy', 'nginx', 'octroi-key.conf'), join(folder, 'octroi-key.conf'));
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};
events { worker_connections 1024; }
http { access_log off; ${temporary} include ${join(folder, 'gateways.conf')}; }`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const healthy = (): Promise<boolean> =>
    fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
  await vi.waitUntil(healthy, { timeout: 60_000 });
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { url, stop };
}

test.each(['gateways.conf', 'tls.conf'])(
  'by %s nginx closes an idle connection long before a stopping gateway would',
  (name) => {
    const config = readFileSync(projectFolder('deploy', 'nginx', name), 'utf8');
    const [, seconds] = /keepalive \d+;[^}]*\n +keepalive_timeout (\d+)s;/.exec(config) ?? [];
    expect(Number(seconds) * 2000).toBeLessThanOrEqual(proxyNoticesMs);
  },
);

// Debian: apt-get install nginx-light.
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
