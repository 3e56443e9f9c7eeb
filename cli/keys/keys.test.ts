import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { readAccount } from '#contract/account.ts';
import { createApiKey, listApiKeys } from '#contract/api-keys.ts';
import { activatePlan } from '#contract/marketplace.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { listeningPort, spawnTestGateway, type TestGateway } from '#server/test-gateway.ts';
import { startTestPortal, type TestPortal } from '#server/test-portal.ts';

let portal: TestPortal;
let gateways: TestGateway[];
const api = createServer((_req, res) => void res.end('{}'));
const dataDir = mkdtempSync(join(tmpdir(), 'octroi-keys-'));
let out = '';
let errors = '';

/** Its first plan never refuses a call of these tests. */
function catalogOfManyCalls(): string {
  const catalogDir = join(dataDir, 'catalog');
  cpSync(projectFolder('catalog'), catalogDir, { recursive: true });
  const file = join(catalogDir, 'tax-lookup-api.yaml');
  const many = { rps: 100_000, dailyQuota: 1_000_000, monthlyQuota: 10_000_000 };
  const text = Object.entries(many).reduce(
    (yaml, [name, value]) => yaml.replace(new RegExp(`${name}: \\d+`), `${name}: ${value}`),
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, text);
  return catalogDir;
}

beforeAll(async () => {
  portal = await startTestPortal({ jobs: false, catalogDir: catalogOfManyCalls() });
  const port = await listeningPort(api);
  gateways = await Promise.all(
    ['first', 'second', 'third'].map((name) =>
      spawnTestGateway({
        DATABASE_URL: portal.portal.settings.databaseUrl,
        DATA_DIR: join(dataDir, name),
        UPSTREAM_TAX_LOOKUP_API: `http://127.0.0.1:${port}`,
      }),
    ),
  );
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    errors += String(text);
    return true;
  });
}, 60_000);
beforeEach(() => {
  out = '';
  errors = '';
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await Promise.all(gateways.map(({ stop }) => stop()));
  api.closeAllConnections();
  await once(api.close(), 'close');
  await portal.close();
  rmSync(dataDir, { recursive: true });
});

/** A customer with two keys. */
async function withKeys() {
  const token = await portal.newCustomer();
  const { activationId } = await portal.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'free' } }, token);
  const params = { activationId };
  const make = (keyName: string) => portal.ask(createApiKey, { params, body: { keyName, isTest: false } }, token);
  return { token, params, leaked: await make('old'), other: await make('new') };
}

const call = async (url: string, key: string): Promise<number> => {
  const { statusCode, body } = await request(`${url}/tax-lookup/v1/ok`, { headers: { 'x-api-key': key } });
  await body.dump();
  return statusCode;
};

test('a leaked key is found by its beginning, and refused by three gateways from the next call on after one command', async () => {
  const { token, params, leaked, other } = await withKeys();
  const beginning = leaked.apiKey.slice(0, 16);
  expect(await run(['keys', 'find', `${beginning}…`])).toBe(exitCodes.done);
  expect(out).toContain(leaked.id);
  expect(out).not.toContain(leaked.apiKey);
  expect(out).not.toContain(other.id);

  let revoked = false;
  let accepted = 0;
  let late = 0;
  let refused = 0;
  const caller = async (url: string): Promise<void> => {
    for (;;) {
      const isAfter = revoked;
      const status = await call(url, leaked.apiKey);
      if (status === 200) accepted += 1;
      if (status === 200 && isAfter) late += 1;
      if (status === 401 && isAfter) refused += 1;
      if (isAfter) return;
    }
  };
  const callers = Promise.all(gateways.flatMap(({ url }) => [caller(url), caller(url)]));
  await vi.waitUntil(() => accepted > 10, { timeout: 10_000, interval: 5 });
  const words = ['keys', 'revoke', beginning, '--reason', 'Found in a public repository', '--actor', 'asha'];
  expect(await run([...words, '--dry-run'])).toBe(exitCodes.done);
  expect(await call(gateways[0]?.url ?? '', leaked.apiKey)).toBe(200);
  out = '';
  expect(await run([...words, '--yes', '--json'])).toBe(exitCodes.done);
  revoked = true;
  await callers;
  expect([late, refused]).toEqual([0, 6]);
  expect(JSON.parse(out)).toMatchObject({ revoked: true, effectiveBy: null, key: { id: leaked.id } });
  for (const { url } of gateways) expect(await call(url, other.apiKey)).toBe(200);

  // The customer sees it, with the reason.
  const keys = await portal.ask(listApiKeys, { params }, token);
  expect(keys.map(({ id, isRevoked }) => [id, isRevoked])).toEqual([
    [other.id, false],
    [leaked.id, true],
  ]);
  const { providerActions } = await portal.ask(readAccount, {}, token);
  expect(providerActions).toMatchObject([
    { action: 'keys.revoke', target: leaked.id, reason: 'Found in a public repository' },
  ]);
  const mail = await portal.portal.db.selectFrom('mails').selectAll().orderBy('created_at', 'desc').execute();
  expect(mail.filter(({ subject }) => subject === 'We revoked your API key old')).toMatchObject([
    { body_text: expect.stringContaining('Reason: Found in a public repository') },
  ]);
  const stranger = await portal.newCustomer();
  expect((await portal.ask(readAccount, {}, stranger)).providerActions).toEqual([]);
  expect(await listActions(portal.portal.db, { limit: 1 })).toMatchObject([
    { actor: 'asha', action: 'keys.revoke', target: leaked.id, effect: { keyName: 'old' } },
  ]);
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});

const revoke = (sought: string) => run(['keys', 'revoke', sought, '--reason', 'A test', '--yes']);

const find = async (sought: string): Promise<string[]> => {
  out = '';
  expect(await run(['keys', 'find', sought, '--json'])).toBe(exitCodes.done);
  return z
    .object({ keys: z.array(z.object({ id: z.string() })) })
    .parse(JSON.parse(out))
    .keys.map(({ id }) => id);
};

test('a key is found by its id and by the whole key; what is no key, or several, is refused', async () => {
  const { leaked, other } = await withKeys();
  expect(await find(leaked.id)).toEqual([leaked.id]);
  expect(await find(other.apiKey)).toEqual([other.id]);
  expect(await run(['keys', 'find', 'gstk_live_'])).toBe(exitCodes.failed);
  expect(errors).toContain('is not a key');
  expect(await revoke('KEY-nobody')).toBe(exitCodes.failed);
  expect(errors).toContain('There is no such key');
  expect(await revoke(leaked.apiKey)).toBe(exitCodes.done);
  expect(await revoke(leaked.apiKey)).toBe(exitCodes.failed);
  expect(errors).toContain('is revoked already');
});

test('the verifier finds an action in the audit log that was changed behind its triggers', async () => {
  const { db } = portal.portal;
  await db.connection().execute(async (session) => {
    await sql`set session_replication_role = replica`.execute(session);
    await sql`update operator_actions set reason = 'Nothing' where position = 1`.execute(session);
    await sql`set session_replication_role = default`.execute(session);
  });
  expect((await verifyLedgerOf(db)).faults).toEqual([
    'the audit log of operators: action 1 of an operator has been changed',
  ]);
});
