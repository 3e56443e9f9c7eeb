import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

test('owners are served in turn, and each owner’s items in order', () => {
  const queue = createFairQueue<string, string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.charAt(0), item);
  const taken = Array.from({ length: 6 }, () => queue.take());
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect(queue.take()).toBeUndefined();
});

test('an owner that may not be served is skipped and keeps its turn', () => {
  const queue = createFairQueue<string, string>();
  for (const item of ['a1', 'b1', 'c1', 'b2']) queue.push(item.charAt(0), item);
  expect(queue.take((owner) => owner !== 'a')).toBe('b1');
  expect(queue.take()).toBe('a1');
  expect(queue.take((owner) => owner === 'a')).toBeUndefined();
});

test('behaves like a plain list of queues under random use', () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant('push' as const), owner: fc.nat(4) }),
    fc.record({ does: fc.constantFrom('take' as const, 'due' as const), owner: fc.nat(4) }),
    fc.record({ does: fc.constant('remove' as const), owner: fc.nat(4), which: fc.nat(20) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const queue = createFairQueue<number, number>();
      let held: { owner: number; item: number }[] = [];
      let next = 0;
      const removeHeld = (gone: (one: (typeof held)[number]) => boolean): number[] => {
        const items = held.filter(gone).map(({ item }) => item);
        held = held.filter((one) => !gone(one));
        return items;
      };
      /** What came out of the queue, and what was expected. */
      const play = (each: (typeof steps)[number]): [number[], number[]] => {
        const { owner } = each;
        if (each.does === 'push') {
          queue.push(owner, next);
          held.push({ owner, item: next });
          next += 1;
          return [[], []];
        }
        if (each.does === 'take') {
          const first = held.find((one) => one.owner === owner);
          return [
            [queue.take((other) => other === owner) ?? -1],
            first === undefined ? [-1] : removeHeld((one) => one === first),
          ];
        }
        if (each.does === 'remove') {
          const chosen = held[each.which];
          queue.remove(chosen?.owner ?? owner, chosen?.item ?? -1);
          removeHeld((one) => one === chosen);
          return [[], []];
        }
        // Items grow with time, so the due ones are at the front of their queues.
        const bound = next - 10 * owner;
        const due = queue.takeDue((item) => item < bound).toSorted((a, b) => a - b);
        return [due, removeHeld(({ item }) => item < bound)];
      };
      for (const each of steps) {
        const [came, expected] = play(each);
        expect(came).toEqual(expected);
        const { owner } = each;
        expect(queue.size()).toBe(held.length);
        expect(queue.first(owner)).toBe(held.find((one) => one.owner === owner)?.item);
      }
    }),
  );
});

test('however many owners fill a bounded queue, one with a single item is refused only while nobody has two', () => {
  const bound = 12;
  const arrivals = fc.array(fc.record({ owner: fc.nat(20), taken: fc.boolean() }), { minLength: 30, maxLength: 120 });
  fc.assert(
    fc.property(arrivals, (steps) => {
      const queue = createFairQueue<number, { owner: number; place: number }>();
      const most = () => Math.max(...Array.from({ length: 21 }, (_, owner) => queue.sizeOf(owner)));
      for (const [place, { owner, taken }] of steps.entries()) {
        const [before, longest] = [queue.sizeOf(owner), most()];
        const isFull = queue.size() >= bound;
        const dropped = isFull ? queue.makeRoomFor(owner) : undefined;
        expect(dropped !== undefined).toBe(isFull && longest > before + 1);
        // It was the newest of the longest queue.
        const [left, first] = dropped
          ? [queue.sizeOf(dropped.owner), queue.first(dropped.owner)?.place]
          : [longest - 1, -1];
        expect(left).toBe(longest - 1);
        expect(first).toBeLessThan(dropped?.place ?? 0);
        if (!isFull || dropped) queue.push(owner, { owner, place });
        expect(queue.size()).toBeLessThanOrEqual(bound);
        if (taken) queue.take();
      }
    }),
  );
});
