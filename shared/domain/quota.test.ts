import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  blockTargetMs,
  emptyLease,
  handBack,
  handOut,
  keptBy,
  type Lease,
  monthlyResetsAt,
  nextBlock,
  remainingOf,
  takeBack,
  useUp,
} from './quota.ts';

interface World {
  quota: number;
  taken: number;
  counted: number;
  leases: Lease[];
}

/** A simple model of the database. */
const grant = (world: World, lease: Lease, wanted: number) => {
  const granted = Math.min(wanted, world.quota - world.taken);
  world.taken += granted;
  lease.available += granted;
  return granted;
};
const count = (world: World, lease: Lease) => {
  world.counted += lease.uncounted;
  lease.uncounted = 0;
};
const release = (world: World, lease: Lease) => {
  world.taken -= lease.available;
  lease.available = 0;
};
const held = (lease: Lease) => lease.available + keptBy(lease);

const step = fc.record({
  who: fc.nat(3),
  what: fc.constantFrom('call', 'call', 'call', 'answer', 'answer', 'fail', 'break', 'count', 'release'),
});

test('whatever several processes do, no more than the quota is ever handed out, and no unit is lost', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.array(step, { maxLength: 400 }), (quota, steps) => {
      const world: World = { quota, taken: 0, counted: 0, leases: Array.from({ length: 4 }, emptyLease) };
      for (const { who, what } of steps) {
        const lease = world.leases[who] ?? emptyLease();
        if (what === 'call' && !handOut(lease)) {
          grant(world, lease, nextBlock({ previous: 8, lastedMs: 100, left: quota, waiting: 1, contended: false }));
          handOut(lease);
        }
        if (what === 'answer' && lease.inFlight > 0) useUp(lease);
        if (what === 'fail' && lease.inFlight > 0) handBack(lease);
        if (what === 'break' && lease.uncounted > 0) takeBack(lease);
        if (what === 'count') count(world, lease);
        if (what === 'release') release(world, lease);
        expect(world.taken).toBe(world.counted + world.leases.reduce((sum, each) => sum + held(each), 0));
        expect(world.taken).toBeLessThanOrEqual(quota);
      }
      // Down to the last unit: when all others return their unused units, one process can hand out all the rest.
      const [first = emptyLease(), ...others] = world.leases;
      for (const lease of world.leases) {
        while (lease.inFlight > 0) useUp(lease);
        count(world, lease);
      }
      others.forEach((lease) => release(world, lease));
      grant(world, first, quota);
      while (handOut(first)) useUp(first);
      count(world, first);
      expect(world.counted).toBe(quota);
    }),
  );
});

test('a block covers the waiting calls, and is at most an eighth of what remains beyond them', () => {
  const history = fc.record({
    previous: fc.nat(5000),
    lastedMs: fc.nat(100_000),
    left: fc.option(fc.nat(1_000_000), { nil: undefined }),
    waiting: fc.nat(2000),
    contended: fc.boolean(),
  });
  fc.assert(
    fc.property(history, (known) => {
      const block = nextBlock(known);
      const share = known.left === undefined ? 4 : Math.ceil(known.left / 8);
      const most = known.contended ? known.waiting : Math.max(known.waiting, share, 1);
      expect(block).toBeGreaterThanOrEqual(known.waiting);
      expect(block).toBeLessThanOrEqual(most);
    }),
  );
});

test('blocks grow while they are used up quickly, and shrink when traffic slows down', () => {
  const plenty = { left: 1_000_000, waiting: 1, contended: false };
  expect(nextBlock({ ...plenty, left: undefined, previous: 0, lastedMs: 0 })).toBe(4);
  expect(nextBlock({ ...plenty, previous: 4, lastedMs: 10 })).toBe(64);
  expect(nextBlock({ ...plenty, previous: 4, lastedMs: 100 })).toBe(40);
  expect(nextBlock({ ...plenty, previous: 1000, lastedMs: blockTargetMs })).toBe(1000);
  expect(nextBlock({ ...plenty, previous: 1000, lastedMs: 50 * blockTargetMs })).toBe(20);
  expect(nextBlock({ ...plenty, previous: 1000, lastedMs: 200 * blockTargetMs })).toBe(16);
});

test('what remains is what no process has leased and this process has not handed out', () => {
  const lease = { ...emptyLease(), available: 3, inFlight: 2, dayLeft: 10, cycleLeft: 5 };
  expect(remainingOf(lease)).toEqual({ daily: 13, monthly: 8 });
});

test.each([
  ['the end of the cycle where it started in no window of free quota', null, 10, 30],
  ['the end of the window in which it started', 20, 10, 20],
  ['the end of the cycle once that window has ended', 20, 20, 30],
  ['the end of the cycle where the window ends later', 40, 10, 30],
])('the monthly quota is given again at %s', (_what, windowEndsAt, now, resetsAt) => {
  expect(monthlyResetsAt(30, windowEndsAt, now)).toBe(resetsAt);
});
