import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import tar from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createArchive, readArchive } from './archive.ts';

const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);
let folder: string;
let recipient: string;
beforeAll(async () => {
  process.on('uncaughtExceptionMonitor', note);
  folder = mkdtempSync(join(tmpdir(), 'octroi-archive-'));
  recipient = await identityToRecipient(await generateIdentity());
});
afterAll(() => {
  process.off('uncaughtExceptionMonitor', note);
  rmSync(folder, { recursive: true, force: true });
});

const partBytes = 1024 * 1024;
async function* content(failsAt?: number): AsyncGenerator<Buffer> {
  for (let part = 0; part < 5; part += 1) {
    if (part === failsAt) throw new Error('the disk can’t be read');
    yield randomBytes(partBytes);
  }
}

describe.each([
  ['plain', () => []],
  ['encrypted', () => [recipient]],
])('a backup that is %s', (kind, recipients) => {
  test.each([0, 2, 4])('is abandoned when a source fails at part %i of 5', async (failsAt) => {
    const path = join(folder, `${kind}-${failsAt}`);
    const archive = await createArchive(path, recipients());
    await archive.add('first', content());
    await expect(archive.add('second', content(failsAt))).rejects.toThrow('the disk can’t be read');
    await archive.abandon();
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
    await setImmediate();
    expect(uncaught).toEqual([]);
  });

  test('is abandoned when the disk is full', async () => {
    const path = join(folder, `${kind}-full`);
    symlinkSync('/dev/full', `${path}.part`);
    const archive = await createArchive(path, recipients());
    await expect(archive.add('file', content())).rejects.toThrow('ENOSPC');
    await archive.abandon();
    expect(existsSync(`${path}.part`)).toBe(false);
    await setImmediate();
    expect(uncaught).toEqual([]);
  });
});

test('a base backup of an earlier version, whose manifest does not name its cluster, is refused with a sentence', async () => {
  const path = join(folder, 'earlier.tar.gz');
  const manifest = {
    format: 1,
    takenAt: '2026-11-23T02:00:00.000Z',
    octroi: '1.0.0',
    postgres: '17',
    migrations: [],
    productMigrations: [],
    tables: {},
    cluster: { directories: [''] },
    files: {},
    ledger: { position: 0, hash: '' },
    journals: { known: [], included: [] },
    settings: [],
  };
  const pack = tar.pack();
  pack.entry({ name: 'manifest.json' }, JSON.stringify(manifest));
  pack.finalize();
  await pipeline(pack, createGzip(), createWriteStream(path));
  await expect(readArchive(path, [])).rejects.toThrow(
    `${path} was made by another version of Octroi, and this one can't read its manifest.json (cluster.id). Restore`,
  );
});
