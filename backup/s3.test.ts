import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startS3 } from '#ship/standins/s3/s3.ts';
import { listBackups } from './backup-place.ts';
import { createS3Place } from './s3.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-s3-'));
const account = { keyId: 'AKIAEXAMPLE', secret: 'a/secret+key', region: 'ap-south-1' };
const partBytes = 1000;
let store: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  store = await startS3({ ...account, bucket: 'backups', pageSize: 2, leastPartBytes: partBytes });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const place = (more: object = {}) => createS3Place({ ...account, url: `${store.url}/octroi/live`, ...more }, partBytes);

function file(bytes: number): { path: string; content: Buffer } {
  const path = join(folder, `file-${bytes}`);
  const content = randomBytes(bytes);
  writeFileSync(path, content);
  return { path, content };
}

test.each([0, 1, partBytes, partBytes + 1, 3 * partBytes, 3 * partBytes + 7])(
  'a file of %i bytes comes back byte for byte, in parts or whole',
  async (bytes) => {
    const { path, content } = file(bytes);
    await place().put('octroi-1.tar.gz', path);
    expect(store.objects.get('octroi/live/octroi-1.tar.gz')?.body.equals(content)).toBe(true);
    const back = join(folder, 'back');
    await place().get('octroi-1.tar.gz', back);
    expect(readFileSync(back).equals(content)).toBe(true);
    expect(store.unfinished()).toBe(0);
    await place().remove('octroi-1.tar.gz');
  },
);

test('lists all pages, and only what lies in its folder', async () => {
  const { path } = file(5);
  const names = [3, 1, 2, 4, 5].map((day) => `octroi-2026-11-0${day}T020000IST-aaaaaaaa.tar.gz.age`);
  const other = 'octroi-2026-11-02T030000IST-bbbbbbbb.tar.gz';
  const deeper = 'deeper/octroi-2026-11-09T020000IST-aaaaaaaa.tar.gz';
  for (const name of [...names, other, 'notes.txt', deeper]) await place().put(name, path);
  await place({ url: store.url }).put('octroi-2026-12-01T020000IST-aaaaaaaa.tar.gz', path);
  const { own, others } = await listBackups(place(), 'aaaaaaaa');
  expect(own.map(({ name }) => name)).toEqual(names.toSorted());
  expect(others.map(({ name }) => name)).toEqual([other]);
  expect(own[0]).toMatchObject({ bytes: 5 });
  expect(Date.now() - (own[0]?.at.getTime() ?? 0)).toBeLessThan(60_000);
});

test('a file in a store is never overwritten', async () => {
  const { path } = file(7);
  await place().put('octroi-4.tar.gz', path);
  await expect(place().put('octroi-4.tar.gz', file(8).path)).rejects.toThrow('octroi-4.tar.gz exists already');
  expect(await place().sizeOf('octroi-4.tar.gz')).toBe(7);
  expect(await place().sizeOf('octroi-5.tar.gz')).toBeUndefined();
});

test('says why the store refused: a wrong secret, another region, a bucket that is not there', async () => {
  await expect(place({ secret: 'other' }).list()).rejects.toThrow('refused (403): SignatureDoesNotMatch');
  await expect(place({ keyId: 'other' }).list()).rejects.toThrow('InvalidAccessKeyId');
  await expect(place({ region: 'us-east-1' }).list()).rejects.toThrow('AuthorizationHeaderMalformed');
  const elsewhere = store.url.replace('/backups', '/gone');
  await expect(place({ url: elsewhere }).list()).rejects.toThrow('NoSuchBucket');
  await expect(place().get('gone.tar.gz', join(folder, 'gone'))).rejects.toThrow('NoSuchKey');
  expect(() => place({ url: 'https://s3.example.com' })).toThrow('needs the name of a bucket');
});

test('goes on after the store was overloaded, and leaves no parts behind when it gives up', async () => {
  const { path, content } = file(3 * partBytes);
  store.failNext(3);
  await place().put('octroi-2.tar.gz', path);
  expect(store.objects.get('octroi/live/octroi-2.tar.gz')?.body.equals(content)).toBe(true);
  const refusing = await startS3({ ...account, bucket: 'strict' });
  await expect(
    createS3Place({ ...account, url: refusing.url }, partBytes).put('octroi-3.tar.gz', path),
  ).rejects.toThrow('EntityTooSmall');
  expect([refusing.unfinished(), refusing.objects.size]).toEqual([0, 0]);
  await refusing.close();
});
