import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { CallKind, CallTally } from './store.ts';

/**
 * One line of the journal holds a group of calls that were written together: the CRC-32 of the rest in eight hexadecimal digits, a space,
 * and JSON. The checksum detects lines that were cut off or overwritten.
 */
export interface JournalLine {
  /** Increases by one from line to line, across all files of the journal. */
  sequence: number;
  /** Every line up to this one was on the disk when this one was written. */
  durable: number;
  calls: CallTally[];
}

const line = z.strictObject({
  s: z.int().min(1),
  // Optional for older journals, which synced every line before the next.
  d: z.int().min(0).optional(),
  c: z.array(
    // Two optional elements: the lease, if it is not the common one, and the units of a call, if they are not 1.
    z.tuple(
      [z.string(), z.string(), z.string(), z.string(), z.int(), z.literal([0, 1]), z.int(), z.number()],
      z.union([z.string(), z.int().min(0)]),
    ),
  ),
});

/** A kind of call with its constant JSON on either side of the number of calls and the time. */
export interface EncodedKind {
  kind: CallKind;
  begin: string;
  end: string;
}

export function encodeKind(kind: CallKind): EncodedKind {
  const { activation, cycle, key, day, lease, units } = kind;
  const texts = [activation, cycle, key, day].map((text) => JSON.stringify(text)).join(',');
  return {
    kind,
    begin: `[${texts},${kind.class},${kind.counted ? 1 : 0},`,
    end: `${lease === '' ? '' : `,${JSON.stringify(lease)}`}${units === 1 ? '' : `,${units}`}]`,
  };
}

/** The number of calls of one kind in a line. */
export interface CallSum {
  of: EncodedKind;
  calls: number;
}

/** A line with its line end; `atMs`: epoch milliseconds. Ids are ASCII, so the length in characters is the length in bytes. */
export function writeLine(sequence: number, durable: number, group: readonly CallSum[], atMs: number): string {
  let calls = '';
  for (const sum of group) calls += `${calls === '' ? '' : ','}${sum.of.begin}${sum.calls},${atMs}${sum.of.end}`;
  const json = `{"s":${sequence},"d":${durable},"c":[${calls}]}`;
  return `${checksum(json)} ${json}\n`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** The sequence that a line states, unchecked: most lines of a file are counted, and parsing them would hold up calls. */
export function statedSequence(text: string): number {
  return Number(/^.{8} \{"s":(\d+),/.exec(text)?.[1]);
}

/** Parses a line; undefined if it is incomplete or damaged. */
export function readLine(text: string): JournalLine | undefined {
  const json = text.slice(9);
  if (text[8] !== ' ' || checksum(json) !== text.slice(0, 8)) return undefined;
  const parsed = line.safeParse(JSON.parse(json));
  if (!parsed.success) return undefined;
  const calls = parsed.data.c.map(([activation, cycle, key, day, statusClass, counted, calls, lastMs, ...more]) => ({
    activation,
    cycle,
    key,
    lease: more.find((each) => typeof each === 'string') ?? '',
    day,
    // Older journals may hold status classes above 5, which the database rejects.
    class: Math.min(5, statusClass),
    counted: counted === 1,
    units: more.find((each) => typeof each === 'number') ?? 1,
    calls,
    lastMs,
  }));
  const { s: sequence, d: durable = sequence - 1 } = parsed.data;
  return { sequence, durable, calls };
}
