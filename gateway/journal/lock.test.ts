import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTempDir } from '#gateway/test/world.ts';
import { lockJournal } from './lock.ts';

let folder: { path: string; remove: () => void };
beforeEach(() => {
  folder = createTempDir();
});
afterEach(() => folder.remove());

test('a second process on the same journal is refused, and freed as soon as the first one ends', async () => {
  const free = await lockJournal(folder.path);
  await expect(lockJournal(folder.path)).rejects.toThrow(/Another gateway writes the journal in .*JOURNAL_DIR/);
  await free();
  await (
    await lockJournal(folder.path)
  )();
});
