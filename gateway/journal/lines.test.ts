import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLine, writeLine, encodeKind } from './lines.ts';

test('a line survives a round trip, and any changed character is detected', () => {
  const id = fc.stringMatching(/^[A-Za-z0-9-]{1,40}$/);
  const tally = fc.record({
    activation: id,
    cycle: id,
    key: id,
    lease: fc.oneof(fc.constant(''), id),
    day: fc.constant('2026-11-21'),
    class: fc.integer({ min: 1, max: 5 }),
    counted: fc.boolean(),
    units: fc.oneof(fc.constant(1), fc.nat(1_000_000)),
    calls: fc.integer({ min: -5, max: 1_000_000 }),
  });
  const line = fc.record({
    sequence: fc.integer({ min: 1 }),
    durable: fc.nat(),
    atMs: fc.nat(),
    tallies: fc.array(tally, { minLength: 1, maxLength: 5 }),
  });
  fc.assert(
    fc.property(line, fc.nat(), ({ sequence, durable, atMs, tallies }, where) => {
      const group = tallies.map(({ calls, ...ofKind }) => ({ of: encodeKind(ofKind), calls }));
      const text = writeLine(sequence, durable, group, atMs).trimEnd();
      expect(readLine(text)).toEqual({ sequence, durable, calls: tallies.map((of) => ({ ...of, lastMs: atMs })) });
      const at = where % text.length;
      expect(readLine(`${text.slice(0, at)}~${text.slice(at + 1)}`)).toBeUndefined();
    }),
  );
});

test('an old line without `d` is read with all earlier lines on the disk', () => {
  const text = '7b9b21f2 {"s":7,"c":[["ACT-1","CYC-1","KEY-1","2026-11-21",2,1,3,1790000000000]]}';
  expect(readLine(text)).toEqual({
    sequence: 7,
    durable: 6,
    calls: [
      {
        activation: 'ACT-1',
        cycle: 'CYC-1',
        key: 'KEY-1',
        lease: '',
        day: '2026-11-21',
        class: 2,
        counted: true,
        units: 1,
        calls: 3,
        lastMs: 1_790_000_000_000,
      },
    ],
  });
});

test('an unknown status class is read as 5', () => {
  const kind = {
    activation: 'ACT-1',
    cycle: 'CYC-1',
    key: 'KEY-1',
    lease: '',
    day: '2026-11-21',
    counted: false,
    units: 1,
  };
  const group = [{ of: encodeKind({ ...kind, class: 9 }), calls: 1 }];
  expect(readLine(writeLine(1, 0, group, 1).trimEnd())?.calls).toEqual([{ ...kind, class: 5, calls: 1, lastMs: 1 }]);
});
