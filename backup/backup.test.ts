import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activatePlan } from '#shared/contract/marketplace.ts';
import type { Db } from '#shared/database/connect.ts';
import { createTestDatabase } from '#shared/database/test-database.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import { createLog } from '#shared/platform/log.ts';
import { addCycle } from '#server/features/cycles/cycles.ts';
import { readDocumentPlaceSettings } from '#server/document-files/settings.ts';
import { takeNumber } from '#server/features/documents/numbers.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { createOrder } from '#server/features/payments/create-order.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { askErasure } from '#server/features/privacy/requests.ts';
import { acceptTds } from '#server/features/tds/tds.ts';
import { type Money, startMoney } from '#server/money-tests/test-money.ts';
import { businessProfile, declareTds } from '#server/money-tests/test-tds.ts';
import { readAsOperator } from '#server/operator-calls.ts';
import { testOperators } from '#server/test/operators.ts';
import { readArchive } from './archive.ts';
import { createBackup } from './create-backup.ts';
import { BackupFault } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { nothingOutside } from './series-outside.ts';
const folder = mkdtempSync(join(tmpdir(), 'octroi-backup-'));
const journalDir = join(folder, 'journal');
let money: Money;
let identity: string;
let recipient: string;
let backup: string;
beforeAll(async () => {
  identity = await generateIdentity();
  recipient = await identityToRecipient(identity);
  money = await startMoney({ env: { OPERATOR_APPROVAL_RUPEES: '1000' } });
  mkdirSync(journalDir);
  writeFileSync(join(journalDir, 'id'), 'journal-1\n');
  writeFileSync(join(journalDir, '0000000000000001.log'), 'a line\n');
  for (let count = 0; count < 3; count += 1) await buy();
  await money.work();
  await money.portal.jobs.send(money.portal.db, 'clean-up', {}, { startAfterSeconds: 3600 });
  backup = await write('whole');
});
afterAll(async () => {
  await money.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A customer with a paid plan. */
async function buy(profile?: typeof businessProfile) {
  const customer = await money.newCustomer(profile);
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId } = await money.ask(activatePlan, plan, customer.token);
  const later = addDays(dayOf(money.portal.clock()), 30);
  const next = await addCycle(money.portal, customer, activationId, 'starter', later);
  for (const cycleId of [billingCycleId ?? '', next.billingCycleId]) {
    const { orderId } = await createOrder(money.portal, customer, cycleId);
    await settlePayment(money.portal, (await money.checkOut(orderId)).paymentId);
  }
  return { ...customer, cycleId: billingCycleId ?? '' };
}

async function write(name: string, recipients = [recipient]): Promise<string> {
  const path = join(folder, name);
  const { databaseUrl } = money.portal.settings;
  const { documentFiles } = money.portal;
  const source = { databaseUrl, journalDirs: [journalDir], folders: new Map(), documentFiles, settings: [] };
  await createBackup({ ...source, version: '1.2.3' }, path, recipients);
  return path;
}
let targets = 0;
/** Restores into a new database, which closes after the work. */
async function restored(
  path: string,
  work: (db: Db, result: Awaited<ReturnType<typeof restoreBackup>>, place: string) => Promise<void>,
  identities = [identity],
): Promise<void> {
  const database = await createTestDatabase('empty');
  targets += 1;
  const place = join(folder, `target-${targets}`);
  try {
    const result = await restoreBackup(path, identities, {
      databaseUrl: database.databaseUrl,
      journalDir: join(place, 'journal'),
      filesDir: join(place, 'files'),
      documents: { ...readDocumentPlaceSettings({ env: {} }), documentsPlace: join(place, 'files', 'documents') },
      outside: nothingOutside,
      now: money.portal.clock,
      log: createLog('restore', { level: 'silent' }),
      say: () => {},
    });
    await work(database.db, result, place);
  } finally {
    await database.close();
  }
}

/** A hash of the rows of every table. */
async function contents(db: Db): Promise<Record<string, string>> {
  const names = await db.connection().execute(async (connection) => {
    const { rows } = await sql<{
      name: string;
    }>`select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r' order by 1`.execute(connection);
    return rows.map(({ name }) => name);
  });
  const found: Record<string, string> = {};
  for (const name of names) {
    const { rows } = await sql<{
      hash: string;
    }>`select coalesce(md5(string_agg(t::text, e'\n' order by t::text)), '') as hash
      from ${sql.table(name)} t`.execute(db);
    found[name] = rows[0]?.hash ?? '';
  }
  return found;
}

test('a restored database has the same rows in every table, and its ledger holds', async () => {
  const {
    sessions: _sessions,
    sign_in_nonces: _nonces,
    // Closing a series leaves a seal.
    closed_series: _closed,
    record_seals: _sealed,
    schema_migrations: _own,
    installation: whose,
    ...before
  } = await contents(money.portal.db);
  await restored(backup, async (db, { faults, manifest }) => {
    expect(faults).toEqual([]);
    const {
      sessions: _gone,
      sign_in_nonces: _gone2,
      closed_series: _closedNow,
      record_seals: _sealedNow,
      schema_migrations: _applied,
      installation: whoseNow,
      ...after
    } = await contents(db);
    expect(after).toEqual(before);
    // It is another installation, whose backups and log are its own.
    expect(whoseNow).not.toBe(whose);
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    const { position, seals } = await verifyLedgerOf(db);
    expect([manifest.ledger.position, manifest.seals]).toEqual([
      position,
      { position: seals.position, hash: seals.hash.toString('hex') },
    ]);
    const { rows } = await sql<{
      jobs: string;
    }>`select string_agg(name, ' ') as jobs from pgboss.job where state < 'active'
      and name not like '\\_\\_%'`.execute(db);
    expect(rows[0]?.jobs).toContain('clean-up');
    await sql`select announce_access_change('{}')`.execute(db);
  });
});

test('no number of a document is used twice: after a restore the next series begins', async () => {
  await restored(backup, async (db, { closedSeries }) => {
    expect(closedSeries).toEqual(
      expect.arrayContaining(['INVOICE', 'CREDIT_NOTE', 'RECEIPT_VOUCHER', 'REFUND_VOUCHER']),
    );
    const now = money.portal.clock();
    const year = financialYearOf(dayOf(now));
    const rollback = new Error('only looking');
    const looking = db.transaction().execute(async (tx) => {
      const { series, lastNumber } = await takeNumber(tx, 'INVOICE', year, new Date(now));
      expect([series.name, lastNumber]).toEqual(['INVOICE A', 1]);
      throw rollback;
    });
    await expect(looking).rejects.toBe(rollback);
    // The database refuses it too.
    const sneaking = db
      .updateTable('document_series')
      .set({ last_number: 99 })
      .where('series', '=', 'INVOICE')
      .execute();
    await expect(sneaking).rejects.toThrow(/counts up by one|is closed/);
  });
});

test('what may have ended since the backup has ended after a restore: sessions, tokens, and what waits for a second operator', async () => {
  const { portal } = money;
  const operators = testOperators(money);
  const owner = await operators.signedIn('asha@kaveri.example', 'owner');
  await operators.prove('asha@kaveri.example');
  await operators.act(owner, 'addOperatorDomain', { domain: 'kaveri.example', role: 'support' });
  const made = await operators.act(owner, 'createToken', { name: 'CRM', scopes: ['refundPayment'], days: 1 });
  expect(made).toMatchObject({ status: 200 });
  const { provider_payment_id: of } = await portal.db
    .selectFrom('cycle_payments')
    .select('provider_payment_id')
    .orderBy('amount_paise', 'desc')
    .executeTakeFirstOrThrow();
  expect(await operators.act(owner, 'refundPayment', { of })).toMatchObject({
    body: { waitsForApproval: expect.any(String) },
  });
  await restored(await write('with-operators'), async (db, { ended, lookAt, faults }) => {
    expect(faults).toEqual([]);
    expect(Object.fromEntries(ended.map(({ what, count }) => [what, count]))).toMatchObject({
      'sessions of operators': 1,
      'tokens of operators': 1,
      'actions that waited for a second operator': 1,
    });
    expect(lookAt).toContainEqual({ what: 'operators', count: 1, names: ['asha@kaveri.example (owner)'] });
    expect(lookAt).toContainEqual({ what: 'domains of operators', count: 1, names: ['kaveri.example (support)'] });
    expect(await db.selectFrom('operator_sessions').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('operator_tokens').select('revoked_at').execute()).toEqual([
      { revoked_at: expect.any(Date) },
    ]);
    const { approvals } = await readAsOperator({ ...portal, db }, 'owner', 'listApprovals', {});
    expect(approvals).toMatchObject([{ state: 'DECLINED', decidedBy: 'octroi restore' }]);
    const { actions } = await readAsOperator({ ...portal, db }, 'owner', 'listActions', { limit: 2 });
    expect(actions.map(({ actor, action }) => `${actor} ${action}`).toSorted()).toEqual([
      'octroi restore approvals.decline',
      'octroi restore operator-tokens.revoke',
    ]);
  });
});

test('the journal is in the backup as it was after the database was read', async () => {
  await restored(backup, async (_db, { manifest }, place) => {
    expect(manifest.journals.included).toEqual(['journal-1']);
    expect(readFileSync(join(place, 'journal', '0000000000000001.log'), 'utf8')).toBe('a line\n');
    expect(readFileSync(join(place, 'journal', 'id'), 'utf8')).toBe('journal-1\n');
  });
});

test('a backup made while customers pay is one moment: its ledger holds', async () => {
  const written = new AbortController();
  const payments = (async () => {
    while (!written.signal.aborted) await buy();
  })();
  const path = await write('under-way');
  written.abort();
  await payments;
  await restored(path, async (_db, { faults }) => expect(faults).toEqual([]));
});

test('a backup that is cut off, altered, or for another key is refused, and so is a database that is not empty', async () => {
  const copy = join(folder, 'copy');
  copyFileSync(backup, copy);
  truncateSync(copy, readFileSync(backup).length - 100);
  await expect(readArchive(copy, [identity])).rejects.toThrow(BackupFault);
  const bytes = readFileSync(backup);
  bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
  writeFileSync(copy, bytes);
  await expect(readArchive(copy, [identity])).rejects.toThrow(BackupFault);
  await expect(readArchive(backup, [await generateIdentity()])).rejects.toThrow('encrypted for another key');
  await expect(readArchive(backup, [])).rejects.toThrow('--identity');
  const target = {
    databaseUrl: money.portal.settings.databaseUrl,
    journalDir: join(folder, 'none'),
    filesDir: join(folder, 'none'),
    documents: readDocumentPlaceSettings({ env: {} }),
    outside: nothingOutside,
    now: Date.now,
    log: createLog('restore', { level: 'silent' }),
    say: () => {},
  };
  await expect(restoreBackup(backup, [identity], target)).rejects.toThrow('The database is not empty');
});

test('without a recipient the backup is a plain tar file, and one changed byte is still noticed', async () => {
  const path = await write('plain', []);
  expect(readFileSync(path).subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b));
  const manifest = await readArchive(path, []);
  expect(Object.keys(manifest.tables)).toContain('public.payments');
  expect(manifest.octroi).toBe('1.2.3');
  appendFileSync(path, 'x');
  await expect(readArchive(path, [])).rejects.toThrow(BackupFault);
});

test('a restore names the transfers, TDS claims and requests for erasure that wait again, though they may have been settled since', async () => {
  const [one, other] = [await buy(businessProfile), await buy(businessProfile)];
  const claimId = await declareTds(money, one, one.cycleId, 12_703);
  await askErasure(money.portal, one);
  // Razorpay pays nothing below a rupee.
  const small = await declareTds(money, other, other.cycleId, 50);
  await acceptTds(money.portal, small, { actor: 'asha', reason: 'In Form 26AS' });
  await restored(await write('with-decisions'), async (_db, { lookAt }) => {
    const [refunds, claims] = [[expect.stringMatching('RFD-')], [`${claimId} (${one.customerId})`]];
    expect(lookAt).toContainEqual({ what: 'refunds that wait for a bank transfer', count: 1, names: refunds });
    expect(lookAt).toContainEqual({ what: 'TDS claims that wait', count: 1, names: claims });
    expect(lookAt).toContainEqual({ what: 'requests for erasure that wait', count: 1, names: [one.customerId] });
  });
});
