import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Work that runs until it is ended by its name. */
function startWork(takeTurn: ReturnType<typeof createTurns>) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (owner: string, name: string) =>
    takeTurn(owner, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  return { started, run, end: (name: string) => ends.get(name)?.() };
}

test('each owner has at most the given number of pieces of work running, all owners together have at most the given number, and they take turns', async () => {
  const { started, run, end } = startWork(createTurns({ atOnce: 2, ofOwner: 1, waiting: 9 }));
  for (const name of ['a1', 'a2', 'b1', 'c1']) void run(name.charAt(0), name);
  await settle();
  expect(started).toEqual(['a1', 'b1']);
  end('b1');
  await settle();
  expect(started).toEqual(['a1', 'b1', 'c1']);
  end('a1');
  await settle();
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2']);
});

test('an owner’s next piece of work waits until the result of the one before is over, and other owners do not', async () => {
  const takeTurn = createTurns({ atOnce: 1, ofOwner: 1, waiting: 9 });
  const { started, run, end } = startWork(takeTurn);
  const result = new EventEmitter();
  const over = once(result, 'over');
  await takeTurn(
    'a',
    async () => result,
    async () => void (await over),
  );
  for (const name of ['a1', 'b1']) void run(name.charAt(0), name);
  await settle();
  expect(started).toEqual(['b1']);
  end('b1');
  await settle();
  expect(started).toEqual(['b1']);
  result.emit('over');
  await settle();
  expect(started).toEqual(['b1', 'a1']);
  end('a1');
});

test('refuses more waiting work of an owner than the limit; work that fails gives its turn back', async () => {
  const takeTurn = createTurns({ ofOwner: 1, waiting: 1 });
  const { started, run, end } = startWork(takeTurn);
  const failing = takeTurn('a', () => Promise.reject(new Error('no space')));
  const first = run('a', 'a1');
  await expect(run('a', 'a2')).rejects.toMatchObject({ code: 'too_many_requests' });
  await expect(failing).rejects.toThrow('no space');
  await settle();
  expect(started).toEqual(['a1']);
  end('a1');
  await first;
});

test('without a number for all owners, one owner’s work never keeps another owner’s waiting', async () => {
  const { started, run, end } = startWork(createTurns({ ofOwner: 2, waiting: 9 }));
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) void run(name.charAt(0), name);
  await settle();
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1']);
  end('a2');
  await settle();
  expect(started.at(-1)).toBe('a3');
});
