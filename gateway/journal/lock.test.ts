import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTempDir } from '#gateway/test/world.ts';
import { lockJournal } from './lock.ts';

let folder: { path: string; remove: () => void };
beforeEach(() => {
  folder = createTempDir();
});
afterEach(() => folder.remove());

test('a journal can be locked once at a time', async () => {
  const free = await lockJournal(folder.path);
  await expect(lockJournal(folder.path)).rejects.toThrow(/Another gateway is using the journal in .*JOURNAL_DIR/);
  await free();
  await (
    await lockJournal(folder.path)
  )();
});
