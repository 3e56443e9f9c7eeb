import { setImmediate } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { strFromU8, unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { type ZipEntry, zipOf } from './zip.ts';

const mtime = new Date('2026-11-26T00:00:00Z');

/** Everything that would have ended a process since. */
function uncaught(): unknown[] {
  const errors: unknown[] = [];
  const note = (error: unknown) => void errors.push(error);
  process.on('uncaughtExceptionMonitor', note);
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', note));
  return errors;
}

const filesIn = async (entries: readonly ZipEntry[]) =>
  Object.entries(unzipSync(new Uint8Array(await buffer(zipOf(entries, mtime))))).map(([name, bytes]) => [
    name,
    strFromU8(bytes),
  ]);

test('a ZIP has every entry under a safe name, each name once, whatever the names from outside are', async () => {
  const names = [
    '..',
    'letters/..',
    'letters/../../x',
    '/etc/passwd',
    String.raw`C:\x`,
    'a/\u202efdp.exe',
    'a/FDP.exe',
    '',
  ];
  const entries = names.map((name, index) => ({
    name,
    content: index % 2 === 0 ? name : async () => Buffer.from(name),
  }));
  expect(await filesIn(entries)).toEqual([
    ['file', '..'],
    ['letters/file', 'letters/..'],
    ['letters/file/file/x', 'letters/../../x'],
    ['file/etc/passwd', '/etc/passwd'],
    ['C--x', String.raw`C:\x`],
    ['a/fdp.exe', 'a/\u202efdp.exe'],
    ['a/FDP (2).exe', 'a/FDP.exe'],
    ['file (2)', ''],
  ]);
});

test.each([
  '-000001-01-01',
  '0001-01-01',
  '1901-12-01',
  '1969-12-31',
  '1980-01-01',
  '2107-12-31',
  '9999-12-31',
  '+200000-01-01',
])('a ZIP dated %s is whole, and ends no process', async (day) => {
  const errors = uncaught();
  const entries = [
    { name: 'a', content: 'a' },
    { name: 'b', content: async () => Buffer.from('b') },
  ];
  const bytes = await buffer(zipOf(entries, new Date(`${day}T00:00:00Z`)));
  expect(Object.keys(unzipSync(new Uint8Array(bytes)))).toEqual(['a', 'b']);
  expect(errors).toEqual([]);
});

async function* failingAt(part: number, parts: number): AsyncGenerator<Buffer> {
  for (let index = 0; index < parts; index += 1) {
    if (index === part) throw new Error('broken');
    yield Buffer.alloc(100_000, index);
  }
}

test.each([0, 2, 4])(
  'an entry that fails at part %i of 5 fails the reading of the ZIP, and nothing else',
  async (part) => {
    const errors = uncaught();
    const read: string[] = [];
    const zip = zipOf(
      [
        { name: 'whole', content: async () => Buffer.alloc(100_000) },
        { name: 'broken', content: () => failingAt(part, 5) },
        { name: 'next', content: async () => Buffer.from(`${read.push('next')}`) },
      ],
      mtime,
    );
    await expect(buffer(zip)).rejects.toThrow('broken');
    await setImmediate();
    expect(read).toEqual([]);
    expect(errors).toEqual([]);
  },
);

test('a ZIP that nobody reads begins no entry, and one that is left ends the entry under way', async () => {
  const errors = uncaught();
  const begun: Readable[] = [];
  const endless = () => {
    const source = new Readable({
      read() {
        this.push(Buffer.alloc(50_000));
      },
    });
    begun.push(source);
    return source;
  };
  const unread = zipOf([{ name: 'endless', content: endless }], mtime);
  await setImmediate();
  unread.destroy();
  expect(begun).toEqual([]);
  const left = zipOf([{ name: 'endless', content: endless }], mtime);
  for await (const chunk of left) if (chunk) break;
  await expect.poll(() => begun.map(({ destroyed }) => destroyed)).toEqual([true]);
  expect(errors).toEqual([]);
});
