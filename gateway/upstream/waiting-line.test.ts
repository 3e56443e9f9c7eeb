import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { createWaitingLine } from './waiting-line.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const customer = () => ({ underWay: 0 });

test('customers who wait are served in turn, each in its own order', () => {
  const line = createWaitingLine({ slots: 8, patienceMs: 1000 });
  const [hot, calm] = [customer(), customer()];
  const started: string[] = [];
  const enter = (who: object, name: string) =>
    line.enter(who === hot ? hot : calm, {
      start: () => started.push(name),
      giveUp: () => started.push(`-${name}`),
    });
  const places = Array.from({ length: 40 }, (_, index) => enter(hot, `hot${index}`));
  // One slot is never the hot customer's.
  expect(started).toHaveLength(7);
  places.push(enter(calm, 'calm0'), enter(calm, 'calm1'), enter(calm, 'calm2'));
  expect(started).toHaveLength(8);
  for (const place of places.slice(0, 6)) place.leave();
  expect(started.slice(7)).toEqual(['calm0', 'hot7', 'calm1', 'hot8', 'calm2', 'hot9', 'hot10']);
});

test('however calls come, leave and give up, no more than the slots run, and nothing free is left unused', () => {
  const step = fc.record({ leave: fc.boolean(), who: fc.nat(3), which: fc.nat() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 200 }), (slots, steps) => {
      const line = createWaitingLine({ slots, patienceMs: 60_000 });
      const customers = Array.from({ length: 4 }, customer);
      const mostOfOne = Math.max(1, Math.floor((slots * 7) / 8));
      let calls: { who: number; started: boolean; place?: { leave: () => void } }[] = [];
      for (const { leave, who, which } of steps) {
        const chosen = calls[which % Math.max(1, calls.length)];
        if (leave && chosen !== undefined) {
          calls = calls.filter((call) => call !== chosen);
          chosen.place?.leave();
        } else {
          const call: (typeof calls)[number] = { who, started: false };
          calls.push(call);
          call.place = line.enter(customers[who] ?? customer(), {
            start: () => (call.started = true),
            giveUp: () => {},
          });
        }
        const running = calls.filter((call) => call.started);
        expect(running.length).toBeLessThanOrEqual(slots);
        const couldStart = calls.some(
          (call) => !call.started && running.filter((other) => other.who === call.who).length < mostOfOne,
        );
        expect(couldStart && running.length < slots).toBe(false);
      }
    }),
  );
});

test('the process stays awake for the only call under way and for the next one, and not for a second', () => {
  let turns: (() => void)[] = [];
  vi.stubGlobal('setImmediate', (run: () => void) => turns.push(run));
  const awakeAfterATurn = (): boolean => {
    const due = turns;
    turns = [];
    for (const run of due) run();
    return turns.length > 0;
  };
  const line = createWaitingLine({ slots: 8, patienceMs: 1000 });
  const enter = () => line.enter(customer(), { start: () => {}, giveUp: () => {} });
  const first = enter();
  expect(awakeAfterATurn()).toBe(true);
  const second = enter();
  expect(awakeAfterATurn()).toBe(false);
  first.leave();
  expect(awakeAfterATurn()).toBe(false);
  second.leave();
  expect(awakeAfterATurn()).toBe(true);
  enter();
  enter();
  expect(awakeAfterATurn()).toBe(false);
});

test('a call that waited for a place is not taken for one that came at once', () => {
  let turns = 0;
  vi.stubGlobal('setImmediate', () => (turns += 1));
  const line = createWaitingLine({ slots: 1, patienceMs: 1000 });
  const enter = () => line.enter(customer(), { start: () => {}, giveUp: () => {} });
  const [first, second] = [enter(), enter()];
  expect(turns).toBe(1);
  first.leave();
  // For the answer to the second the process was awake already; no next call is awaited.
  expect(turns).toBe(1);
  second.leave();
  expect(turns).toBe(2);
});
