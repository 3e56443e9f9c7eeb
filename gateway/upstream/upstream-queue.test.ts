import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { createUpstreamQueue } from './upstream-queue.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

let customers = 0;
const customer = (): string => `CUS-${(customers += 1)}`;

test('queued customers are served round-robin, each in FIFO order', () => {
  const queue = createUpstreamQueue({ slots: 8, maxQueueAgeMs: 1000 });
  const [hot, calm] = [customer(), customer()];
  const started: string[] = [];
  const enqueue = (who: string, name: string) =>
    queue.enqueue(who, {
      start: () => started.push(name),
      reject: () => started.push(`-${name}`),
    });
  const tickets = Array.from({ length: 40 }, (_, index) => enqueue(hot, `hot${index}`));
  // One slot is reserved for other customers.
  expect(started).toHaveLength(7);
  tickets.push(enqueue(calm, 'calm0'), enqueue(calm, 'calm1'), enqueue(calm, 'calm2'));
  expect(started).toHaveLength(8);
  for (const ticket of tickets.slice(0, 6)) ticket.release();
  expect(started.slice(7)).toEqual(['calm0', 'hot7', 'calm1', 'hot8', 'calm2', 'hot9', 'hot10']);
});

test('in any sequence of calls and releases, never exceeds the slots and leaves no usable slot idle', () => {
  const step = fc.record({ leave: fc.boolean(), who: fc.nat(3), which: fc.nat() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 200 }), (slots, steps) => {
      const queue = createUpstreamQueue({ slots, maxQueueAgeMs: 60_000 });
      const ids = Array.from({ length: 4 }, customer);
      const maxPerCustomer = Math.max(1, Math.floor((slots * 7) / 8));
      let calls: { who: number; started: boolean; ticket?: { release: () => void } }[] = [];
      for (const { leave, who, which } of steps) {
        const chosen = calls[which % Math.max(1, calls.length)];
        if (leave && chosen !== undefined) {
          calls = calls.filter((call) => call !== chosen);
          chosen.ticket?.release();
        } else {
          const call: (typeof calls)[number] = { who, started: false };
          calls.push(call);
          call.ticket = queue.enqueue(ids[who] ?? customer(), {
            start: () => (call.started = true),
            reject: () => {},
          });
        }
        const running = calls.filter((call) => call.started);
        expect(running.length).toBeLessThanOrEqual(slots);
        const couldStart = calls.some(
          (call) => !call.started && running.filter((other) => other.who === call.who).length < maxPerCustomer,
        );
        expect(couldStart && running.length < slots).toBe(false);
      }
    }),
  );
});

test('polls for the only running call and for the next one, but not with two running', () => {
  let turns: (() => void)[] = [];
  vi.stubGlobal('setImmediate', (run: () => void) => turns.push(run));
  const awakeAfterATurn = (): boolean => {
    const due = turns;
    turns = [];
    for (const run of due) run();
    return turns.length > 0;
  };
  const queue = createUpstreamQueue({ slots: 8, maxQueueAgeMs: 1000 });
  const enqueue = () => queue.enqueue(customer(), { start: () => {}, reject: () => {} });
  const first = enqueue();
  expect(awakeAfterATurn()).toBe(true);
  const second = enqueue();
  expect(awakeAfterATurn()).toBe(false);
  first.release();
  expect(awakeAfterATurn()).toBe(false);
  second.release();
  expect(awakeAfterATurn()).toBe(true);
  enqueue();
  enqueue();
  expect(awakeAfterATurn()).toBe(false);
});

test('a call that was queued does not count as an arrival', () => {
  let turns = 0;
  vi.stubGlobal('setImmediate', () => (turns += 1));
  const queue = createUpstreamQueue({ slots: 1, maxQueueAgeMs: 1000 });
  const enqueue = () => queue.enqueue(customer(), { start: () => {}, reject: () => {} });
  const [first, second] = [enqueue(), enqueue()];
  expect(turns).toBe(1);
  first.release();
  // Already polling for the response of the second call; no next call is expected.
  expect(turns).toBe(1);
  second.release();
  expect(turns).toBe(2);
});
