import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listBackups, openBackupPlace } from './backup-place.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-place-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a file that is gone when it is looked at does not hide the backups beside it', async () => {
  const name = 'octroi-2026-11-23T020000IST-3f9a1c7e.tar.gz';
  writeFileSync(join(folder, name), 'a backup');
  symlinkSync(join(folder, 'removed'), join(folder, `${name}.part`));
  const { own } = await listBackups(openBackupPlace(folder, {}), '3f9a1c7e');
  expect(own).toMatchObject([{ name, bytes: 8 }]);
});
