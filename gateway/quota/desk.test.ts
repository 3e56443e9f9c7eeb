import { expect, test } from 'vitest';
import { createQuotaDesk } from './desk.ts';
import type { QuotaGrant, QuotaRequest } from './store.ts';
import { QuotaUnit } from './unit.ts';

/** A desk whose database answers with these grants in turn, each when it is told to. */
function deskWith(
  grants: readonly Pick<QuotaGrant, 'granted' | 'holders'>[],
  synced: () => Promise<void> = () => Promise.resolve(),
) {
  const asked: Pick<QuotaRequest, 'wanted' | 'needed'>[] = [];
  const answers: (() => void)[] = [];
  const desk = createQuotaDesk({
    takeQuota: ({ wanted, needed }) =>
      new Promise((resolve) => {
        const grant = grants[asked.length];
        asked.push({ wanted, needed });
        answers.push(() => resolve(grant && { ...grant, dayLeft: 0, cycleLeft: 0, keyLeft: null }));
      }),
    synced,
    recalls: { begin: () => 'asked', answered: async () => true, end: () => {}, hear: () => {} },
    journalId: 'this',
    runCounting: () => {},
    onEnded: () => {},
  });
  const book = desk.book('ACT-1', 100);
  const lease = desk.lease(book, 'CYC-1', '2026-11-21', '');
  return {
    desk,
    book,
    lease,
    asked,
    take: () => desk.take(book, lease, performance.now()),
    use: () => desk.use(new QuotaUnit(book, lease)),
    release: () => desk.startRelease('2026-11-21', false).leases.map(({ keep }) => keep),
    answer: async () => {
      answers.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const ended = (call: true | Promise<unknown>): Promise<unknown> => Promise.race([call, Promise.resolve('waits')]);

test('a call that comes while the last units are asked for is not refused before others were asked for theirs', async () => {
  const { asked, take, answer } = deskWith([
    { granted: 1, holders: [] },
    { granted: 0, holders: ['other'] },
    { granted: 1, holders: [] },
  ]);
  const first = take();
  const second = take();
  await answer();
  expect(await first).toBe('granted');
  expect(await ended(second)).toBe('waits');
  await answer();
  await answer();
  expect(await second).toBe('granted');
  expect(asked.map(({ needed }) => needed)).toEqual([1, 1, 1]);
});

test('while asking the others brings anything it goes on, and three times nothing ends it', async () => {
  const nothing = { granted: 0, holders: ['other'] };
  const one = { granted: 1, holders: ['other'] };
  const { take, answer } = deskWith([nothing, nothing, one, nothing, nothing, one, nothing, nothing, nothing, nothing]);
  const calls = [take(), take(), take()];
  for (let turn = 0; turn < 10; turn += 1) {
    await answer();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await Promise.all(calls.map((each) => Promise.resolve(each)))).toEqual(['granted', 'granted', 'exhausted']);
});

test('when nobody else holds any, the refusal comes at once', async () => {
  const { asked, take, answer } = deskWith([{ granted: 0, holders: [] }]);
  const call = take();
  await answer();
  expect(await call).toBe('exhausted');
  expect(asked.length).toBe(1);
});

test('when the journal cannot be brought to the disk no block is handed out, and it goes back once the database has answered', async () => {
  const { take, use, answer, release } = deskWith(
    [
      { granted: 1, holders: [] },
      { granted: 5, holders: [] },
    ],
    () => Promise.reject(new Error('EIO')),
  );
  const first = take();
  await answer();
  expect(await first).toBe('granted');
  use();
  const second = take();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await ended(second)).toBe('waits');
  expect(release()).toEqual([]);
  await answer();
  expect(await second).toBe('unavailable');
  expect(release()).toEqual([1]);
});

test('a unit goes back to its lease once, however often the end of its call is reported', async () => {
  const { desk, book, lease, take, answer } = deskWith([{ granted: 3, holders: [] }]);
  const calls = [take(), take(), take()];
  await answer();
  for (const call of calls) await call;
  const [free, counted, brokenOff] = [
    new QuotaUnit(book, lease),
    new QuotaUnit(book, lease),
    new QuotaUnit(book, lease),
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
