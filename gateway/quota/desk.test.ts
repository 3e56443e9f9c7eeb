import { expect, test } from 'vitest';
import { remainingOf } from '#shared/domain/quota.ts';
import { createQuotaDesk } from './desk.ts';
import type { QuotaGrant, QuotaRequest } from './store.ts';
import { HeldUnits } from './held-units.ts';

/** A desk whose database returns these grants in order, each when the test calls `grantNext`. */
function deskWith(
  grants: readonly (Pick<QuotaGrant, 'granted' | 'holders'> & Partial<QuotaGrant>)[],
  synced: () => Promise<void> = () => Promise.resolve(),
) {
  const requests: Pick<QuotaRequest, 'wanted' | 'least' | 'needed'>[] = [];
  const pending: (() => void)[] = [];
  const desk = createQuotaDesk({
    takeQuota: ({ wanted, least, needed }) =>
      new Promise((resolve) => {
        const grant = grants[requests.length];
        requests.push({ wanted, least, needed });
        pending.push(() => resolve(grant && { dayLeft: 0, cycleLeft: 0, keyLeft: null, memberLeft: null, ...grant }));
      }),
    synced,
    recalls: { open: () => 'request', waitForReplies: async () => true, close: () => {}, addReply: () => {} },
    journalId: 'this',
    runCounting: () => {},
    onEnded: () => {},
    timeoutMs: 2000,
  });
  const book = desk.book('ACT-1', 100);
  const lease = desk.lease(book, 'CYC-1', '2026-11-21', '');
  return {
    desk,
    book,
    lease,
    requests,
    take: (units = 1) => desk.take(book, lease, performance.now(), units),
    use: () => desk.use(new HeldUnits(book, lease)),
    release: () => desk.startRelease('2026-11-21', false).leases.map(({ keep }) => keep),
    grantNext: async () => {
      pending.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const outcomeSoFar = (call: true | Promise<unknown>): Promise<unknown> =>
  Promise.race([call, Promise.resolve('waiting')]);

test('a call that arrives while the last units are being taken is refused only after a recall', async () => {
  const { requests, take, grantNext } = deskWith([
    { granted: 1, holders: [] },
    { granted: 0, holders: ['other'] },
    { granted: 1, holders: [] },
  ]);
  const first = take();
  const second = take();
  await grantNext();
  expect(await first).toBe('granted');
  expect(await outcomeSoFar(second)).toBe('waiting');
  await grantNext();
  await grantNext();
  expect(await second).toBe('granted');
  expect(requests.map(({ needed }) => needed)).toEqual([1, 1, 1]);
});

test('recalls are repeated while they return units, and end after three empty ones', async () => {
  const nothing = { granted: 0, holders: ['other'] };
  const one = { granted: 1, holders: ['other'] };
  const { take, grantNext } = deskWith([
    nothing,
    nothing,
    one,
    nothing,
    nothing,
    one,
    nothing,
    nothing,
    nothing,
    nothing,
  ]);
  const calls = [take(), take(), take()];
  for (let turn = 0; turn < 10; turn += 1) {
    await grantNext();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await Promise.all(calls.map((each) => Promise.resolve(each)))).toEqual(['granted', 'granted', 'exhausted']);
});

test('refuses at once if no other gateway holds units', async () => {
  const { requests, take, grantNext } = deskWith([{ granted: 0, holders: [] }]);
  const call = take();
  await grantNext();
  expect(await call).toBe('exhausted');
  expect(requests.length).toBe(1);
});

test('if the journal cannot be synced, the new block is not handed out and is released again', async () => {
  const { take, use, grantNext, release } = deskWith(
    [
      { granted: 1, holders: [] },
      { granted: 5, holders: [] },
    ],
    () => Promise.reject(new Error('EIO')),
  );
  const first = take();
  await grantNext();
  expect(await first).toBe('granted');
  use();
  const second = take();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await outcomeSoFar(second)).toBe('waiting');
  expect(release()).toEqual([]);
  await grantNext();
  expect(await second).toBe('unavailable');
  expect(release()).toEqual([1]);
});

test('a unit goes back to its lease only once, however often the end of its call is reported', async () => {
  const { desk, book, lease, take, grantNext } = deskWith([{ granted: 3, holders: [] }]);
  const calls = [take(), take(), take()];
  await grantNext();
  for (const call of calls) await call;
  const [free, counted, brokenOff] = [
    new HeldUnits(book, lease),
    new HeldUnits(book, lease),
    new HeldUnits(book, lease),
  ];
  expect([desk.giveBack(free), desk.giveBack(free), desk.use(free), desk.undo(free)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([desk.use(counted), desk.use(counted), desk.giveBack(counted)]).toEqual([true, false, false]);
  expect([desk.settle(brokenOff), desk.undo(brokenOff), desk.undo(brokenOff)]).toEqual([true, true, false]);
  expect(lease.inFlight).toBe(0);
});

test('a call of ten units waits for all of them, and later calls wait behind it', async () => {
  const { requests, take, grantNext } = deskWith([
    { granted: 10, holders: [] },
    { granted: 1, holders: [] },
  ]);
  const large = take(10);
  const small = take(1);
  await grantNext();
  expect(await large).toBe('granted');
  expect(await outcomeSoFar(small)).toBe('waiting');
  await grantNext();
  expect(await small).toBe('granted');
  expect(requests.map(({ least, needed }) => ({ least, needed }))).toEqual([
    { least: 10, needed: 10 },
    { least: 1, needed: 1 },
  ]);
});

test('a call that needs more than is left is refused, and those behind it get the rest', async () => {
  const { desk, book, lease, take, grantNext } = deskWith([
    { granted: 0, holders: [], dayLeft: 3, cycleLeft: 90 },
    { granted: 3, holders: [] },
  ]);
  const large = take(10);
  const small = [take(1), take(2)];
  await grantNext();
  expect(await large).toBe('exhausted');
  await grantNext();
  for (const call of small) expect(await call).toBe('granted');
  expect(await take(10)).toBe('exhausted');
  // A free operation needs nothing.
  expect(take(0)).toBe(true);
  expect(desk.giveBack(new HeldUnits(book, lease, 2))).toBe(true);
  expect(take(2)).toBe(true);
});

test('units that are too few for the waiting call are returned before others are asked for theirs', async () => {
  const { desk, lease, take, grantNext, release } = deskWith([
    { granted: 4, holders: ['other'] },
    { granted: 0, holders: ['other'] },
    { granted: 10, holders: [] },
  ]);
  const first = take(1);
  await grantNext();
  expect(await first).toBe('granted');
  expect(lease.available).toBe(3);
  const large = take(10);
  await grantNext();
  expect(await outcomeSoFar(large)).toBe('waiting');
  expect(release()).toEqual([1]);
  expect(lease.available).toBe(0);
  desk.finishRelease({ leases: [], replies: [] }, []);
});

test('units that are being released are left all the while, for each key of the plan, also when the release fails', async () => {
  const { desk, book, lease, take, grantNext } = deskWith([{ granted: 4, holders: [], dayLeft: 20, cycleLeft: 60 }]);
  const ofKey = desk.lease(book, 'CYC-1', '2026-11-21', 'KEY-1');
  const first = take(1);
  await grantNext();
  expect(await first).toBe('granted');
  const left = { daily: 23, monthly: 63 };
  expect(remainingOf(lease)).toEqual(left);
  desk.releaseUnused('ACT-1');
  const release = desk.startRelease('2026-11-21', false);
  expect(lease.available).toBe(0);
  expect([remainingOf(lease), remainingOf(ofKey)]).toEqual([left, left]);
  desk.finishRelease(release, undefined);
  expect([remainingOf(lease), remainingOf(ofKey)]).toEqual([left, left]);
  const again = desk.startRelease('2026-11-21', false);
  expect(again.leases.map((each) => [each.lease.keyId, each.keep])).toEqual([
    ['KEY-1', 0],
    ['', 1],
  ]);
  desk.finishRelease(again, [
    { activationId: 'ACT-1', cycleId: 'CYC-1', day: '2026-11-21', dayLeft: 23, cycleLeft: 63 },
  ]);
  expect(remainingOf(lease)).toEqual(left);
});

test('a lease whose plan has ended takes nothing more, and is released', async () => {
  const { desk, requests, take, use, release, grantNext } = deskWith([
    { granted: 16, holders: [], dayLeft: 20, cycleLeft: 60 },
  ]);
  const first = take();
  await grantNext();
  expect(await first).toBe('granted');
  for (let call = 0; call < 13; call += 1) {
    expect(use()).toBe(true);
    expect(take()).toBe(true);
  }
  // It is low, so more is asked for, and the plan has ended.
  expect(requests).toHaveLength(2);
  for (let turn = 0; turn < 3; turn += 1) await grantNext();
  expect(requests).toHaveLength(2);
  expect(release()).toHaveLength(1);
  desk.finishRelease({ leases: [], replies: [] }, []);
});
