import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startS3 } from '#ship/standins/s3/s3.ts';
import { createS3Place } from './s3.ts';
import { createWalShipper } from './ship-wal.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-ship-'));
const account = { keyId: 'AKIAEXAMPLE', secret: 'a/secret+key', region: 'ap-south-1' };
let store: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  store = await startS3({ ...account, bucket: 'backups' });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

test('a segment that another copy of the cluster has sent is a fault; the cluster’s own segment, sent again, is not', async () => {
  const place = createS3Place({ ...account, url: `${store.url}/wal/7` });
  const archive = join(folder, 'archive');
  const { ship } = createWalShipper(archive, place, [], folder);
  // Before the first segment there is no folder.
  expect(await ship()).toBe(0);
  mkdirSync(archive);
  const [first, second] = ['000000010000000000000001.gz', '000000010000000000000002.gz'];
  for (const name of [first, second]) writeFileSync(join(archive, name), 'a segment');
  // The reply of the store was lost.
  store.objects.set(`wal/7/${first}`, { body: Buffer.from('a segment'), at: new Date() });
  const foreign = { body: Buffer.from('the segment of a copy'), at: new Date() };
  store.objects.set(`wal/7/${second}`, foreign);
  await expect(ship()).rejects.toThrow('is another file: a second copy of this cluster writes there');
  expect(store.objects.get(`wal/7/${second}`)).toBe(foreign);
  store.objects.delete(`wal/7/${second}`);
  expect(await ship()).toBe(1);
});

test.each([[false], [true]])(
  'a segment of another copy of the cluster is found by a process that starts later too (encrypted: %s)',
  async (isEncrypted) => {
    const name = '000000010000000000000001.gz';
    const recipients = isEncrypted ? [await identityToRecipient(await generateIdentity())] : [];
    const place = createS3Place({ ...account, url: `${store.url}/wal/copied-${isEncrypted}` });
    const [own, copy] = ['own', 'copy'].map((each) => join(folder, `${each}-${isEncrypted}`));
    if (own === undefined || copy === undefined) throw new Error('two folders');
    for (const [archive, bytes] of [
      [own, 200_000],
      [copy, 300_000],
    ] as const) {
      mkdirSync(archive);
      writeFileSync(join(archive, name), Buffer.alloc(bytes));
    }
    expect(await createWalShipper(copy, place, recipients, folder).ship()).toBe(1);
    await expect(createWalShipper(own, place, recipients, folder).ship()).rejects.toThrow('is another file');
    // The own ones are not sent again, and are no fault.
    expect(await createWalShipper(copy, place, recipients, folder).ship()).toBe(0);
  },
);
