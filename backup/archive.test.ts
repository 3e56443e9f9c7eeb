import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createArchive } from './archive.ts';

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
