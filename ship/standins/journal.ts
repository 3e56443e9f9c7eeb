import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import type { z } from 'zod';

export type Journal<Entry> = {
  /** The contents of the file when it was opened, oldest first. */
  entries: Entry[];
  append(entry: Entry): void;
};

/**
 * An append-only file of JSON lines. A write has reached the kernel when `append` returns, so it survives kill -9. A
 * last line that such a kill cut short was never acknowledged and is dropped.
 */
export function openJournal<Entry>(path: string, schema: z.ZodType<Entry>): Journal<Entry> {
  const entries: Entry[] = [];
  if (existsSync(path)) {
    const bytes = readFileSync(path);
    const end = bytes.lastIndexOf('\n') + 1;
    if (end < bytes.length) truncateSync(path, end);
    for (const line of bytes.subarray(0, end).toString('utf8').split('\n')) {
      if (line !== '') entries.push(schema.parse(JSON.parse(line)));
    }
  }
  return {
    entries,
    append: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 }),
  };
}
