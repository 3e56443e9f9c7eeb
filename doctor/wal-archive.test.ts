import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { readOwner } from '#backup/owner.ts';
import { openClient } from '#shared/database/clients.ts';
import { removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { setWalArchive } from '#shared/database/wal-archive.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { startS3 } from '#ship/standins/s3/s3.ts';
import { examineOnly, problem, temporaryFolder } from './test-installation.ts';

test('names a log that has no base backup of this installation, or does not reach the store', async () => {
  const dataDir = temporaryFolder();
  onTestFinished(() => removeEmbedded(dataDir));
  const account = { keyId: 'AKIAEXAMPLE', secret: 'a/secret+key', region: 'ap-south-1' };
  const store = await startS3({ ...account, bucket: 'backups' });
  onTestFinished(store.close);
  const archive = join(dataDir, 'wal');
  setWalArchive(dataDir, archive);
  const server = await startEmbedded({ dataDir, logFile: join(dataDir, 'postgres.log'), durable: false });
  onTestFinished(server.stop);
  await migrate(server.databaseUrl);
  const { cluster, installation } = await readOwner(server.databaseUrl);
  const client = openClient({ connectionString: server.databaseUrl });
  await client.connect();
  const found = await client.query('select pg_walfile_name(pg_switch_wal()) as name');
  await client.end();
  const last = checkedRows(z.object({ name: z.string() }), found)[0]?.name ?? '';
  await vi.waitUntil(() => existsSync(join(archive, cluster, `${last}.gz`)), { timeout: 60_000, interval: 100 });
  const env = {
    DATA_DIR: dataDir,
    WAL_ARCHIVE_DIR: archive,
    BACKUP_DIR: `${store.url}/octroi`,
    BACKUP_S3_KEY_ID: account.keyId,
    BACKUP_S3_SECRET: account.secret,
    BACKUP_S3_REGION: account.region,
  };
  const later = Date.now() + 20 * 60_000;
  const examineLater = () => examineOnly('wal-archive', env, { now: () => later });
  const put = (name: string) => store.objects.set(`octroi/${name}`, { body: Buffer.from('x'), at: new Date() });
  const unsent = problem(`${last}.gz was archived`, 'octroi backup schedule');
  // Of another installation, and of another cluster.
  put('base-2026-11-20T020000IST-00000000.tar.gz.age');
  put(`wal/1/${last}.gz.age`);
  expect(await examineLater()).toEqual([problem('no base backup of this', 'octroi backup base', 'warning'), unsent]);
  put(`base-2026-11-20T020000IST-${installation}.tar.gz.age`);
  expect(await examineLater()).toEqual([unsent]);
  expect(await examineOnly('wal-archive', env)).toMatchObject([{ level: 'ok' }]);
  put(`wal/${cluster}/${last}.gz.age`);
  expect(await examineLater()).toMatchObject([{ level: 'ok' }]);
});
