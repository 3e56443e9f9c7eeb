import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLog } from '#shared/platform/log.ts';
import { openDocumentFiles } from './document-files.ts';
import { nameOf } from './document-place.ts';
import { readDocumentPlaceSettings } from './settings.ts';
import { settingsFor, startPlaces } from './test-places.ts';

const log = createLog('test', { level: 'silent' });
const hashOf = (pdf: Buffer): string => createHash('sha256').update(pdf).digest('hex');
let places: Awaited<ReturnType<typeof startPlaces>>;
beforeAll(async () => {
  places = await startPlaces();
});
afterAll(() => places.close());

test.each(['folder', 'store'] as const)('in a %s a file is written once and never overwritten', async (kind) => {
  const place = places.open[kind]();
  const written = openDocumentFiles(settingsFor(place.address), log).open(place.address);
  const pdf = randomBytes(5000);
  await Promise.all(Array.from({ length: 20 }, () => written.put(hashOf(pdf), pdf)));
  expect((await written.get(hashOf(pdf)))?.equals(pdf)).toBe(true);
  const damaged = Buffer.from('damaged');
  place.write(nameOf(hashOf(pdf)), damaged);
  await expect(written.put(hashOf(pdf), pdf)).rejects.toThrow('exists already, with other content');
  expect(place.read(nameOf(hashOf(pdf))).equals(damaged)).toBe(true);
});

test('a store that takes a file and does not keep it is not believed', async () => {
  const { address } = places.open.store();
  const written = openDocumentFiles(settingsFor(address), log).open(address);
  const pdf = randomBytes(100);
  const { objects } = places.store;
  const keep = vi.spyOn(objects, 'set');
  try {
    keep.mockReturnValueOnce(objects);
    await expect(written.put(hashOf(pdf), pdf)).rejects.toThrow('does not return it as it was');
  } finally {
    keep.mockRestore();
  }
  await written.put(hashOf(pdf), pdf);
  expect((await written.get(hashOf(pdf)))?.equals(pdf)).toBe(true);
});

test.each([
  ['documents', 'must be database, an absolute path'],
  ['./documents', 'must be database, an absolute path'],
  ['https://s3.example.com/bucket', 'needs DOCUMENTS_S3_KEY_ID and DOCUMENTS_S3_SECRET'],
])('DOCUMENTS_PLACE=%s is refused: %s', (place, message) => {
  expect(() => readDocumentPlaceSettings({ env: { DOCUMENTS_PLACE: place } })).toThrow(message);
});

test('files and folders are of the user alone to whom the folder belongs', async () => {
  const place = places.newFolder();
  const pdf = randomBytes(100);
  await openDocumentFiles(settingsFor(place), log).open(place).put(hashOf(pdf), pdf);
  const path = join(place, nameOf(hashOf(pdf)));
  expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(statSync(path).uid).toBe(statSync(place).uid);
});
