import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

vi.stubGlobal('window', new EventTarget());
const { listRequests } = await import('#shared/contract/request-log.ts');
const { Refused, Unreachable } = await import('#web/api/failures.ts');
const { createQueryClient, intervalWhenFailed } = await import('#web/api/query-client.ts');
const { createRereading } = await import('#web/api/rereading.ts');
const { callKey } = await import('#web/api/use-call.ts');

/** A list whose reads end when the test says so, each with what was there when it began. */
let queryClient: ReturnType<typeof createQueryClient>;
let stored: number;
let reads: { end: () => void; wasAborted: () => boolean }[];
let shown: () => unknown;
let stop: () => void;
let disable: () => void;

beforeEach(() => {
  queryClient = createQueryClient();
  stored = 0;
  reads = [];
  const options = {
    queryKey: callKey(listRequests, {}),
    queryFn: ({ signal }: { signal: AbortSignal }) => {
      const found = stored;
      return new Promise<number>((resolve) => {
        reads.push({ end: () => resolve(found), wasAborted: () => signal.aborted });
      });
    },
  };
  const observer = new QueryObserver(queryClient, options);
  disable = () => observer.setOptions({ ...options, enabled: false });
  stop = observer.subscribe(() => undefined);
  shown = () => observer.getCurrentResult().data;
});

afterEach(() => {
  stop();
  queryClient.clear();
});

const endRead = async (index: number) => {
  await expect.poll(() => reads.length).toBe(index + 1);
  reads[index]?.end();
};

test('an event during the first read leads to another, which shows what happened meanwhile', async () => {
  const readAgain = createRereading(queryClient, [listRequests]);
  stored = 1;
  readAgain();
  await endRead(0);
  await endRead(1);
  await expect.poll(shown).toBe(1);
});

test('events that come faster than reads end no read, and lead to one more together', async () => {
  const readAgain = createRereading(queryClient, [listRequests]);
  await endRead(0);
  await expect.poll(shown).toBe(0);
  for (stored = 1; stored < 5; stored += 1) readAgain();
  await endRead(1);
  await endRead(2);
  await expect.poll(shown).toBe(5);
  expect(reads.map(({ wasAborted }) => wasAborted())).toEqual([false, false, false]);
  expect(queryClient.isFetching()).toBe(0);
});

test('a list that left the screen during a read is not waited for', async () => {
  const readAgain = createRereading(queryClient, [listRequests]);
  await expect.poll(() => reads.length).toBe(1);
  disable();
  let turns = 0;
  const invalidate = queryClient.invalidateQueries.bind(queryClient);
  vi.spyOn(queryClient, 'invalidateQueries').mockImplementation(async (...given: Parameters<typeof invalidate>) => {
    turns += 1;
    if (turns === 10) throw new Error('It waits in a circle.');
    await invalidate(...given);
  });
  readAgain();
  await endRead(0);
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  expect(turns).toBe(1);
});

test('data are read again after a failure that may pass, and only then', () => {
  const refusal = { type: 'about:blank', title: 'x', message: 'x', requestId: 'x' };
  const intervals = [
    new Unreachable('time-out'),
    new Unreachable('offline'),
    new Unreachable('unreadable'),
    new Refused({ ...refusal, status: 503, code: 'unavailable' }),
    new Refused({ ...refusal, status: 404, code: 'not_found' }),
    null,
  ].map((error) => {
    const query = queryClient.getQueryCache().build(queryClient, { queryKey: ['shown'] });
    query.setState({ data: 1, error });
    return intervalWhenFailed(query);
  });
  expect(intervals).toEqual([10_000, 10_000, false, 10_000, false, false]);
  const unread = queryClient.getQueryCache().build(queryClient, { queryKey: ['unread'] });
  unread.setState({ error: new Unreachable('time-out') });
  expect(intervalWhenFailed(unread)).toBe(10_000);
});
