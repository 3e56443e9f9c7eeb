import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { simpleParser } from 'mailparser';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { Agent, fetch as fetchTls } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { activateService } from '#shared/contract/marketplace.ts';
import { isAlive } from '#shared/database/postmaster.ts';
import { giveProfile, signInCustomer } from '#ship/demo/portal-customer.ts';
import { portCount, portsFrom } from '#ship/launch/rehearsal/ports.ts';
import { accepts } from '#shared/platform/accepts.ts';
import { freePortsInRow } from '#shared/platform/free-ports.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

const run = promisify(execFile);
const parent = mkdtempSync(join(tmpdir(), 'octroi-rehearsal-'));
const folder = join(parent, 'rehearsal');
let ports: ReturnType<typeof portsFrom>;
let rehearsal: ChildProcess;
let output = '';

beforeAll(async () => {
  // As `npm run rehearse` builds: vitest's own NODE_ENV would make development pages.
  const { NODE_ENV: _test, ...outside } = process.env;
  await run(process.execPath, [projectFolder('ship', 'launch', 'build.mjs')], { env: outside });
  // Under root PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(parent, 0o755);
  const first = await freePortsInRow(portCount);
  ports = portsFrom(first);
  rehearsal = fork(projectFolder('build', 'rehearse.js'), ['--folder', folder, '--port', String(first)], {
    cwd: parent,
    env: { PATH: process.env['PATH'], SUPPLIER_NAME: 'Kaveri APIs Private Limited', SMTP_URL: 'smtp://mail.kaveri.in' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [rehearsal.stdout, rehearsal.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const isReady = await Promise.race([
    once(rehearsal, 'message').then(() => true),
    once(rehearsal, 'exit').then(() => false),
  ]);
  if (!isReady) throw new Error(output);
});
afterAll(async () => {
  if (rehearsal.exitCode === null) {
    rehearsal.kill('SIGTERM');
    await once(rehearsal, 'exit');
  }
  rmSync(parent, { recursive: true, force: true });
});

/** The command that the rehearsal made; rejects with its output unless it ends with 0. */
const octroi = async (...words: string[]) => (await run(join(folder, 'octroi'), words)).stdout;
const inData = (...parts: string[]) => join(folder, 'data', ...parts);
const log = () => readFileSync(inData('logs', 'portal.log'), 'utf8');
const stored = () => readdirSync(inData('standins', 'store')).join(' ');
const readMails = async () => {
  const files = readdirSync(inData('standins', 'mails')).filter((name) => name.endsWith('.eml'));
  return Promise.all(files.map((file) => simpleParser(readFileSync(inData('standins', 'mails', file)))));
};
const subjects = async () => (await readMails()).map(({ subject }) => subject);
const wordsOf = async (pdf: Buffer): Promise<string> => {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  return items.map((item) => ('str' in item ? item.str : '')).join(' ');
};

test('a rehearsal runs in production over TLS: a customer pays, calls and is refunded, all of it says that no money moves, and the doctor has no complaint', async () => {
  const dispatcher = new Agent({ connect: { ca: readFileSync(join(folder, 'tls', 'authority.pem')) } });
  const get = (url: string, headers: Record<string, string> = {}) => fetchTls(url, { headers, dispatcher });
  const portalUrl = `https://localhost:${ports.portal}`;
  const customer = await signInCustomer(
    {
      portalUrl,
      gatewayUrl: '',
      googleUrl: `http://localhost:${ports.googleBehind}`,
      razorpayUrl: `http://localhost:${ports.razorpayBehind}`,
      fetchPortal: async (url, init) => {
        const response = await fetchTls(url, { ...init, dispatcher });
        return new Response(await response.arrayBuffer(), { status: response.status });
      },
    },
    { account: 'asha' },
  );
  await giveProfile(customer);
  const plan = { serviceId: 'tax-lookup-api', planId: 'growth' };
  const { activationId, billingCycleId } = await customer.send(activateService, { body: plan });
  expect(await customer.pay(billingCycleId ?? '')).toMatchObject({ status: 'success' });
  const key = await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'main' } });
  const called = await get(`https://localhost:${ports.gateway}/tax-lookup/v1/states`, {
    authorization: `Bearer ${key.apiKey}`,
  });
  expect(called.status).toBe(200);

  await octroi('refund', billingCycleId ?? '', '--amount', '100', '--reason', 'Rehearsed', '--yes');
  await expect
    .poll(() => octroi('payments', 'show', billingCycleId ?? ''), { timeout: 60_000, interval: 2000 })
    .toMatch(/RFD-\S+ +₹100 .*processed/i);

  const page = await get(`${portalUrl}/login`);
  expect(await page.text()).toContain('"rehearsal":true');
  expect(page.headers.get('strict-transport-security')).toBeNull();
  await expect.poll(subjects, { timeout: 60_000 }).toContainEqual(expect.stringContaining('efund'));
  for (const subject of await subjects()) expect(subject).toMatch(/^Rehearsal, no money moves: /);
  const papers = (await readMails()).flatMap(({ attachments }) => attachments.map(({ content }) => content));
  expect(papers.length).toBeGreaterThan(0);
  for (const paper of papers) expect(await wordsOf(paper)).toMatch(/Rehearsal: no money moved.*REHEARSAL/);

  // The first backup and the first check of the whole ledger are made by themselves.
  await expect.poll(log, { timeout: 60_000 }).toContain('"checked":"the whole"');
  await expect.poll(stored, { timeout: 60_000 }).toContain('.tar.gz.age');
  expect(await octroi('doctor')).toMatch(/ 0 faults, 0 warnings/);
  await dispatcher.close();
});

test('Ctrl-C ends every process of a rehearsal and frees its ports, and the settings of production never fit its database', async () => {
  const settings = readFileSync(join(folder, 'octroi.env'), 'utf8');
  const databaseUrl = /^DATABASE_URL='(.*)'$/m.exec(settings)?.[1] ?? '';
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl };
  const verify = run(process.execPath, [projectFolder('build', 'octroi.js'), 'verify-ledger'], { cwd: parent, env });
  await expect(verify).rejects.toThrow('This database is a rehearsal’s');
  expect(settings).toContain(`SUPPLIER_NAME='Kaveri APIs Private Limited'`);
  expect(settings).not.toContain('mail.kaveri.in');

  const pids = readFileSync(inData('processes'), 'utf8').trim().split('\n').map(Number);
  expect(pids.filter(isAlive)).toHaveLength(5);
  rehearsal.kill('SIGINT');
  await vi.waitUntil(() => rehearsal.exitCode !== null, { timeout: 60_000 });
  expect(rehearsal.exitCode).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(await Promise.all(Object.values(ports).map(accepts))).not.toContain(true);
});
