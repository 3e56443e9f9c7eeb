import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { requireDatabase } from '#shared/database/require-database.ts';
import { createTestDatabase } from '#shared/database/test-database.ts';
import { createLog } from '#shared/platform/log.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { recordFilesAtStart } from '#server/current-catalog.ts';
import { readDocumentPlaceSettings } from '#server/document-files/settings.ts';
import { requireSameKind } from '#server/installation.ts';
import { type Money, startMoney } from '#server/money-tests/test-money.ts';
import { testOperators } from '#server/test/operators.ts';
import { createBackup } from './create-backup.ts';
import { finishMove, finishRestore, restoreBackup } from './restore-backup.ts';
import { nothingOutside } from './series-outside.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-finish-'));
let money: Money;
let backup: string;
beforeAll(async () => {
  money = await startMoney();
  const customer = await money.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'free' } };
  const { activationId } = await money.ask(activatePlan, plan, customer.token);
  const operators = testOperators(money);
  const owner = await operators.signedIn('asha@kaveri.example', 'owner');
  await operators.prove('asha@kaveri.example');
  await operators.act(owner, 'overrideCallsPerSecond', { activationId, callsPerSecond: 7 });
  await recordFilesAtStart(money.portal.db, projectFolder('catalog'), money.portal.log);
  await sql`insert into operator_actions (actor, action, target, reason, effect)
    values ('asha', 'months.lock', '2026-01', 'Filed', '{}')`.execute(money.portal.db);
  await sql`insert into period_locks (month, action, reason, operator) values ('2026-01', 'LOCK', 'Filed', 'asha')`.execute(
    money.portal.db,
  );
  backup = join(folder, 'whole');
  const { documentFiles, settings } = money.portal;
  await createBackup(
    {
      databaseUrl: settings.databaseUrl,
      journalDirs: [],
      folders: new Map(),
      documentFiles,
      settings: [],
      version: '1',
    },
    backup,
    [],
  );
});
afterAll(async () => {
  await money.close();
  rmSync(folder, { recursive: true, force: true });
});

const surroundings = { say: () => undefined, now: () => money.portal.clock(), outside: nothingOutside };

test('nothing starts on a restore that ended after its load, until the same is done that would have followed', async () => {
  const database = await createTestDatabase('empty');
  const { databaseUrl, db } = database;
  try {
    const restoring = restoreBackup(backup, [], {
      databaseUrl,
      journalDir: join(folder, 'journal'),
      filesDir: join(folder, 'files'),
      documents: readDocumentPlaceSettings({ env: {} }),
      log: createLog('restore', { level: 'silent' }),
      ...surroundings,
      now: () => {
        throw new Error('killed');
      },
    });
    await expect(restoring).rejects.toThrow('killed');
    expect(await db.selectFrom('operator_sessions').selectAll().execute()).toHaveLength(1);
    await expect(requireDatabase(databaseUrl)).rejects.toThrow('octroi restore --finish');
    await expect(requireSameKind(db, { rehearsal: false })).rejects.toThrow('the restore did not finish');
    const number = sql`insert into document_series values ('INVOICE', '2026-27', 1, now())`;
    await expect(number.execute(db)).rejects.toThrow('no number is taken before');
    expect(await finishMove(databaseUrl, { ...surroundings, evenBack: true })).toBe(false);

    const { documentFiles: files } = money.portal;
    const finished = await finishRestore(databaseUrl, { ...surroundings, files });
    expect(finished.faults).toEqual([]);
    expect(finished.closedSeries).toContain('INVOICE');
    expect(finished.ended).toContainEqual({ what: 'sessions of operators', count: 1, names: [] });
    expect(finished.lookAt).toContainEqual({
      what: 'activations with calls per second of their own',
      count: 1,
      names: [expect.stringContaining('(7 calls per second)')],
    });
    expect(finished.lookAt).toContainEqual({
      what: 'catalogue on sale, with the prices of then',
      count: 1,
      names: [expect.stringMatching(/^version \d+ since 20\d\d-\d\d-\d\d \d\d:\d\d$/)],
    });
    expect(finished.lookAt).toContainEqual({ what: 'months that are locked', count: 1, names: ['2026-01'] });
    await requireDatabase(databaseUrl);
    await requireSameKind(db, { rehearsal: false });
    const again = await finishRestore(databaseUrl, { ...surroundings, files });
    expect(again.closedSeries).toContain('INVOICE A');
  } finally {
    await database.close();
  }
}, 120_000);
