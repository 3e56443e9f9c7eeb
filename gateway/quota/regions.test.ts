import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { QuotaGrant, QuotaRequest } from './store.ts';
import { createQuotaDesk, type QuotaDesk } from './desk.ts';
import { HeldUnits } from './held-units.ts';
import { createRecalls, type Recalls } from './recall.ts';

// Gateways in regions, each at a distance of its own from the database, with the real code of leases. Time is simulated.
beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
);
afterEach(() => void vi.useRealTimers());
const day = '2026-11-29';
const cycle = 'CYC-1';
const timeoutMs = 2000;
const countingMs = 250;
const now = (): number => performance.now();
const later = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

interface Plan {
  /** Units of the day. */
  quota: number;
  /** Of each gateway: milliseconds to the database, calls in a second, and when its link is lost, in milliseconds from the begin. */
  gateways: readonly { latencyMs: number; callsPerSecond: number; lost: readonly (readonly [number, number])[] }[];
}

interface Gateway {
  desk: QuotaDesk;
  recalls: Recalls;
  /** What the database has it hold. */
  row: number;
  uncounted: number;
  used: number;
  /** Units that it could give and no call has. */
  unused: () => number;
}

/**
 * What became of the calls. `stranded`: at each refusal, units that no call had used or was using, and the most that gateways can hold whose link was lost
 * in the last seconds.
 */
interface Outcome {
  served: number;
  exhausted: number;
  unavailable: number;
  counted: number;
  stranded: { units: number; bound: number }[];
  most: number;
}

/** After a lost link, a release, a grant and a recall each take a time-out at most. */
const settledMs = 3 * timeoutMs;

/**
 * The units that a day may leave unused while calls are refused: none while every gateway is reached. One that is not has at most a block, the quarter of the
 * one before, and a grant that was lost on the way; a block is an eighth of what is left, or what its waiting calls need.
 */
function boundOf({ quota, gateways }: Plan, nowMs: number): number {
  const block = Math.ceil(quota / 8);
  return gateways
    .filter(({ lost }) => lost.some(([from, to]) => nowMs >= from && nowMs < to + settledMs))
    .map(({ callsPerSecond }) => 1.25 * block + Math.max(block, (callsPerSecond * timeoutMs) / 1000))
    .reduce((sum, units) => sum + units, 0);
}

/** The database of a day's quota, and the messages between gateways that go through it. */
function simulate({ quota, gateways: planned }: Plan, random: () => number, lastsMs: number): Promise<Outcome> {
  const outcome: Outcome = { served: 0, exhausted: 0, unavailable: 0, counted: 0, stranded: [], most: 0 };
  const gateways: Gateway[] = [];
  const isCut = (at: number): boolean => (planned[at]?.lost ?? []).some(([from, to]) => now() >= from && now() < to);
  const held = (): number => gateways.reduce((sum, { row }) => sum + row, 0);
  const left = (): number => quota - outcome.counted - held();

  /** Over the link of a gateway and back; what is lost fails after the time-out, though the database may have done it. */
  const ask = async <Value>(at: number, work: () => Value): Promise<Value> => {
    const { latencyMs = 0 } = planned[at] ?? {};
    if (isCut(at)) {
      await later(timeoutMs);
      throw new Error('the link is lost');
    }
    await later(latencyMs);
    const value = work();
    outcome.most = Math.max(outcome.most, outcome.counted + held());
    await later(latencyMs);
    if (isCut(at)) {
      await later(timeoutMs);
      throw new Error('the reply is lost');
    }
    return value;
  };
  const tell = (to: number, hear: () => void): void =>
    void later(planned[to]?.latencyMs ?? 0).then(() => (isCut(to) ? undefined : hear()));

  const grant = (at: number, { wanted, least, needed, recall }: QuotaRequest): QuotaGrant => {
    const gateway = gateways[at];
    const granted = left() >= least ? Math.min(wanted, left()) : 0;
    if (gateway) gateway.row += granted;
    const holders = granted < needed ? gateways.flatMap(({ row }, of) => (of !== at && row > 0 ? [of] : [])) : [];
    for (const of of holders) tell(of, () => gateways[of]?.desk.onRecall('ACT-1', recall));
    return {
      granted,
      dayLeft: left(),
      cycleLeft: left(),
      keyLeft: null,
      memberLeft: null,
      holders: holders.map(String),
    };
  };

  const counting = new Map<number, Promise<void>>();
  const again = new Set<number>();
  /** Counts what was used, then returns what is due. A count is written once, however often it is sent. */
  const count = async (at: number): Promise<void> => {
    const gateway = gateways[at];
    if (gateway === undefined) return;
    const sent = gateway.uncounted;
    const release = gateway.desk.startRelease(day, false);
    let isCounted = false;
    try {
      await ask(at, () => {
        outcome.counted += sent;
        gateway.row -= sent;
        gateway.uncounted -= sent;
        isCounted = true;
        for (const { keep } of release.leases) gateway.row = keep - sent;
        for (const reply of release.replies) {
          const [, request = '', journal = ''] = reply.split(' ');
          gateways.forEach(({ recalls }, to) => tell(to, () => recalls.addReply(request, journal)));
        }
      });
      gateway.desk.finishRelease(release, [
        { cycleId: cycle, day, activationId: 'ACT-1', dayLeft: left(), cycleLeft: left() },
      ]);
    } catch {
      gateway.desk.finishRelease(release, undefined);
    }
    if (isCounted)
      gateway.desk.confirm([
        {
          activation: 'ACT-1',
          cycle,
          day,
          lease: '',
          key: 'KEY-1',
          counted: true,
          calls: sent,
          units: 1,
          class: 2,
          lastMs: 0,
        },
      ]);
  };
  const runCounting = (at: number): void => {
    if (counting.has(at)) return void again.add(at);
    counting.set(
      at,
      count(at).finally(() => {
        counting.delete(at);
        if (again.delete(at)) runCounting(at);
      }),
    );
  };

  for (const at of planned.keys()) {
    const recalls = createRecalls(String(at), timeoutMs, later);
    const desk = createQuotaDesk({
      takeQuota: (request) => ask(at, () => grant(at, request)),
      synced: () => Promise.resolve(),
      recalls,
      journalId: String(at),
      runCounting: () => runCounting(at),
      onEnded: () => undefined,
      timeoutMs,
    });
    const unused = (): number => desk.book('ACT-1', 1e6).leases.reduce((sum, { available }) => sum + available, 0);
    gateways.push({ desk, recalls, row: 0, uncounted: 0, used: 0, unused });
  }
  const inUse = (): number =>
    gateways.reduce((sum, { desk, uncounted }) => {
      const running = desk.book('ACT-1', 1e6).leases.reduce((units, { inFlight }) => units + inFlight, 0);
      return sum + uncounted + running;
    }, 0);

  const call = async (gateway: Gateway): Promise<void> => {
    const book = gateway.desk.book('ACT-1', 1e6);
    const lease = gateway.desk.lease(book, cycle, day, '');
    const taken = await gateway.desk.take(book, lease, now(), 1);
    if (taken === true || taken === 'granted') {
      const units = new HeldUnits(book, lease);
      await later(20 * random());
      gateway.desk.use(units);
      gateway.uncounted += 1;
      outcome.served += 1;
    } else if (taken === 'exhausted') {
      outcome.exhausted += 1;
      outcome.stranded.push({
        units: quota - outcome.counted - inUse(),
        bound: boundOf({ quota, gateways: planned }, now()),
      });
    } else outcome.unavailable += 1;
  };
  const customers = planned.map(async ({ callsPerSecond }, at) => {
    const gateway = gateways[at];
    if (gateway === undefined) return;
    while (now() < lastsMs) {
      await later(-Math.log(1 - random()) * (1000 / callsPerSecond));
      void call(gateway);
    }
  });
  const timer = setInterval(() => {
    for (const [at, { desk }] of gateways.entries()) {
      desk.sweep();
      runCounting(at);
    }
  }, countingMs);
  return (async () => {
    await Promise.all(customers);
    await later(20_000);
    clearInterval(timer);
    return outcome;
  })();
}

const drawnGateway = fc.record({
  latencyMs: fc.integer({ min: 1, max: 200 }),
  callsPerSecond: fc.constantFrom(1, 10, 60),
  lost: fc.array(
    fc.tuple(fc.nat(12_000), fc.integer({ min: 200, max: 5000 })).map(([from, ms]) => [from, from + ms] as const),
    { maxLength: 2 },
  ),
});

test(
  'gateways in several regions give out all units and none twice; of a lost link, at most what its gateway can hold stays unused',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 20, max: 600 }),
        fc.array(drawnGateway, { minLength: 2, maxLength: 4 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        async (quota, gateways, stream) => {
          const began = performance.now();
          const plan = {
            quota,
            gateways: gateways.map((each) => ({
              ...each,
              lost: each.lost.map(([from, to]) => [began + from, began + to] as const),
            })),
          };
          const simulated = simulate(plan, () => stream.next().value ?? 0.5, began + 15_000);
          const life = { isOver: false };
          void simulated.finally(() => (life.isOver = true));
          while (!life.isOver) await vi.advanceTimersByTimeAsync(50);
          const { served, counted, stranded, most } = await simulated;
          expect(served).toBeLessThanOrEqual(quota);
          expect(most).toBeLessThanOrEqual(quota);
          expect(counted).toBe(served);
          for (const { units, bound } of stranded) expect(units).toBeLessThanOrEqual(bound);
        },
      ),
      { numRuns: Number(process.env['DRAWS'] ?? 25) },
    );
  },
);
