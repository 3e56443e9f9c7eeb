import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { isAlive } from '#shared/database/postmaster.ts';
import { createTestProject, type Launched, launch, type TestProject } from './test-project.ts';

let project: TestProject;
const running: Launched[] = [];

beforeAll(async () => void (project = await createTestProject()));
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
});
afterAll(() => project.remove());

function start(flags = project.flags, env: Record<string, string> = {}): Launched {
  const launched = launch(project, flags, env);
  running.push(launched);
  return launched;
}

const at = (setting: string, path: string) => fetch(`http://127.0.0.1:${project.ports[setting]}${path}`);
const inData = (...parts: string[]) => join(project.folder, 'data', ...parts);
const noted = () => readFileSync(inData('processes'), 'utf8').trim().split('\n').map(Number);
const postmasterPid = () =>
  Number(readFileSync(inData('postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);

test('it starts everything, prints the addresses, and Ctrl-C stops all of it in order', async () => {
  const launched = start();
  await launched.settled;
  // The message that it is ready may arrive before its output.
  for (const words of [`http://localhost:${project.ports['PORTAL_PORT']}`, 'Ctrl-C', 'loud words of gateway'])
    await expect.poll(launched.output).toContain(words);
  expect(launched.output()).not.toContain('quiet words');
  await expect.poll(() => readFileSync(inData('logs', 'gateway.log'), 'utf8')).toContain('quiet words of gateway');

  const pids = [...noted(), postmasterPid()];
  expect(pids).toHaveLength(5);
  expect(pids.filter(isAlive)).toEqual(pids);
  launched.child.kill('SIGINT');
  expect(await launched.ended).toBe(0);
  expect(launched.output()).not.toContain('was killed');
  const postgresLog = readFileSync(inData('logs', 'postgres.log'), 'utf8');
  expect(postgresLog).toContain('received fast shutdown request');
  expect(postgresLog).not.toContain('received immediate shutdown request');
  expect(pids.filter(isAlive)).toEqual([]);
  expect(launched.output()).toContain('Stopped.');
  expect(existsSync(inData('processes'))).toBe(false);
});

test('every process gets the addresses of the others and the account of the stand-ins', async () => {
  await start().settled;
  const { ports } = project;
  const environment: unknown = await (await at('PORTAL_PORT', '/')).json();
  expect(environment).toMatchObject({
    STANDINS: 'yes',
    PORTAL_URL: `http://localhost:${ports['PORTAL_PORT']}`,
    GATEWAY_URL: `http://localhost:${ports['GATEWAY_PORT']}`,
    GOOGLE_JWKS_URL: `http://localhost:${ports['STANDIN_GOOGLE_PORT']}/oauth2/v3/certs`,
    RAZORPAY_API_URL: `http://localhost:${ports['STANDIN_RAZORPAY_PORT']}/v1`,
    GSP_URL: `http://localhost:${ports['STANDIN_GSTN_PORT']}`,
    GSP_CLIENT_ID: 'octroi-local-gsp',
    RAZORPAY_WEBHOOK_URL: `http://localhost:${ports['PORTAL_PORT']}/backend/webhooks/razorpay`,
    DATABASE_URL: expect.stringMatching(/^postgres:\/\/octroi:.+@127\.0\.0\.1:\d+\/octroi$/),
  });
});

test('your own GST Suvidha Provider does not get the stand-in’s account', async () => {
  const own = { GSP_URL: 'https://gsp.example', GSP_CLIENT_ID: 'mine', GSP_CLIENT_SECRET: 'unsaid' };
  const launched = start(project.flags, own);
  await launched.settled;
  expect(await (await at('TAX_LOOKUP_PORT', '/')).json()).toMatchObject(own);
  const standins: unknown = await (await at('STANDIN_GOOGLE_PORT', '/')).json();
  expect(standins).toMatchObject({ GSP_CLIENT_ID: 'octroi-local-gsp', GSP_CLIENT_SECRET: 'gsp_sandbox_secret_0000' });
  expect(launched.output()).not.toContain('taxpayers and e-invoices');
});

test('a second start on the same data is refused and names the first', async () => {
  const first = start();
  await first.settled;
  const second = start();
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`Another Octroi already runs on`);
  expect(second.output()).toContain(`process ${first.child.pid}`);
  expect((await at('PORTAL_PORT', '/')).ok).toBe(true);
});

test('after kill -9 the processes exit by themselves, and the next start has every acknowledged row', async () => {
  const first = start();
  await first.settled;
  const told = Number(await (await at('PORTAL_PORT', '/rows')).text());
  let acknowledged = 0;
  const writing = (async () => {
    for (;;) acknowledged += (await at('PORTAL_PORT', `/write?n=${acknowledged}`)).ok ? 1 : 0;
  })().catch(() => {});
  await vi.waitUntil(() => acknowledged > 0, { timeout: 60_000, interval: 5 });
  const pids = noted();
  first.child.kill('SIGKILL');
  await writing;
  const second = start();
  await second.settled;
  await expect.poll(second.output).toContain('Octroi is running');
  expect(pids.filter(isAlive)).toEqual([]);
  expect(Number(await (await at('PORTAL_PORT', '/rows')).text())).toBeGreaterThanOrEqual(told + acknowledged);
});

test('restarts a process that crashes', async () => {
  const launched = start();
  await launched.settled;
  await at('GATEWAY_PORT', '/crash').catch(() => {});
  await expect
    .poll(() => launched.output())
    .toContain('gateway ended unexpectedly (code 3); it starts again in 0.5 s.');
  await expect.poll(async () => (await at('GATEWAY_PORT', '/').catch(() => undefined))?.ok).toBe(true);
});

test('restarts a PostgreSQL that dies', async () => {
  const launched = start();
  await launched.settled;
  process.kill(postmasterPid(), 'SIGKILL');
  await expect.poll(() => launched.output()).toContain('PostgreSQL ended unexpectedly');
  await at('PORTAL_PORT', '/crash').catch(() => {});
  await expect.poll(async () => (await at('PORTAL_PORT', '/rows').catch(() => undefined))?.ok).toBe(true);
});

test('a process that cannot start ends the whole start and shows its last output', async () => {
  const launched = start(project.flags, { FAIL_GATEWAY: 'yes' });
  expect(await launched.ended).toBe(1);
  expect(launched.output()).toContain('gateway did not start (code 1)');
  expect(launched.output()).toContain('the gateway cannot start like this');
  expect(existsSync(inData('postgres', 'cluster', 'postmaster.pid'))).toBe(false);
});

test('a port in use by another program is reported with the setting that changes it', async () => {
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(project.ports['PORTAL_PORT'], '127.0.0.1', resolve));
  const launched = start();
  expect(await launched.ended).toBe(1);
  expect(launched.output()).toContain(
    `Port ${project.ports['PORTAL_PORT']} for the portal is in use by another program; choose another with PORTAL_PORT (or --portal-port).`,
  );
  squatter.close();
});

test('all errors are reported at once, and nothing is started', async () => {
  const launched = start(['--portal-port', 'x', '--gateway-port=0', '--colour', 'red', '--data'], {
    NODE_ENV: 'production',
    RAZORPAY_KEY_ID: 'rzp_live_1',
    SUPPLIER_GSTIN: '27ZZZ',
  });
  expect(await launched.ended).toBe(1);
  const output = launched.output();
  for (const words of [
    'PORTAL_PORT',
    'GATEWAY_PORT',
    '--colour',
    '--data needs a value',
    'GOOGLE_CLIENT_ID',
    'SUPPLIER_GSTIN',
  ]) {
    expect(output).toContain(words);
  }
  expect(output).toContain('RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRET are missing');
});

test('an unreachable database of your own is reported with its setting, without the password', async () => {
  const launched = start([...project.flags, '--database-url', 'postgres://me:unsaid@localhost:1/octroi']);
  expect(await launched.ended).toBe(1);
  expect(launched.output()).toMatch(/DATABASE_URL: connect ECONNREFUSED/);
  expect(launched.output()).not.toContain('unsaid');
});

test('--help ends without an error when the reader of its pipe goes', async () => {
  const launched = start(['--help']);
  launched.child.stdout?.destroy();
  expect(await launched.ended).toBe(0);
  expect(launched.output()).not.toContain('EPIPE');
});

test('--help lists the settings of every process', async () => {
  const launched = start(['--help']);
  expect(await launched.ended).toBe(0);
  for (const flag of ['--data-dir', '--portal-port', '--supplier-gstin', '--database-url'])
    expect(launched.output()).toContain(flag);
});
