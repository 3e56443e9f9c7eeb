import { z } from 'zod';
import { crc32 } from '#domain/api-key.ts';
import type { CallTally } from './store.ts';

/**
 * One line of the journal is one group of answered calls that reached the disk together: the CRC-32 of the rest in eight
 * hexadecimal digits, a space, and JSON. A line that was cut off, or overwritten, is recognised by its checksum.
 */
export interface JournalLine {
  /** Counts up by one from line to line, over all files of the journal. */
  sequence: number;
  calls: CallTally[];
}

const line = z.strictObject({
  s: z.int().min(1),
  c: z.array(
    // The last one, the lease, is written where it is not the common one.
    z.tuple(
      [z.string(), z.string(), z.string(), z.string(), z.int(), z.literal([0, 1]), z.int(), z.number()],
      z.string(),
    ),
  ),
});

/** A line with its line end. Ids are ASCII, so that the length in characters is the length in bytes. */
export function writeLine({ sequence, calls }: JournalLine): string {
  const json = JSON.stringify({
    s: sequence,
    c: calls.map((call) => [
      call.activation,
      call.cycle,
      call.key,
      call.day,
      call.class,
      call.counted ? 1 : 0,
      call.calls,
      call.lastMs,
      ...(call.lease === '' ? [] : [call.lease]),
    ]),
  });
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

/** The line, or undefined when it is not whole. */
export function readLine(text: string): JournalLine | undefined {
  const json = text.slice(9);
  if (text[8] !== ' ' || crc32(json).toString(16).padStart(8, '0') !== text.slice(0, 8)) return undefined;
  const parsed = line.safeParse(JSON.parse(json));
  if (!parsed.success) return undefined;
  const calls = parsed.data.c.map(([activation, cycle, key, day, statusClass, counted, calls, lastMs, lease = '']) => ({
    activation,
    cycle,
    key,
    lease,
    day,
    class: statusClass,
    counted: counted === 1,
    calls,
    lastMs,
  }));
  return { sequence: parsed.data.s, calls };
}
