import { setImmediate as oneTurn, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { connect } from '#shared/database/connect.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { standinAccounts } from '#shared/platform/production-rules.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { createBuyers } from './buyers.ts';
import { type Callers, createCallers, type Failure } from './callers.ts';
import { untilNoticed } from './connections.ts';
import { startTopology, type Topology, type TopologyOptions } from './topology.ts';

export interface RehearsalOptions extends TopologyOptions {
  callsPerSecond: number;
  /** How many customers call, each with one key. */
  customers: number;
  /** How long it serves between one disruption and the next. */
  pauseMs: number;
  /** What happens, in this order; by default everything. */
  disruptions?: (all: readonly string[]) => readonly string[];
  say?: (line: string) => void;
}

export interface Rehearsal {
  sent: number;
  perSecond: number;
  /** Failures of requests that were not on their way at a part that was killed, and not refused while PostgreSQL was gone. */
  unexpected: Record<string, number>;
  /** Failures that a kill explains, by part. */
  explained: Record<string, number>;
  /** Keys whose count in the database differs from what their callers know. */
  miscounted: string[];
  counted: number;
  customersPaid: number;
  ledgerFaults: string[];
  /** Payments captured at Razorpay that are not exactly one paid cycle here, and the other way round. */
  strayPayments: string[];
}

type Disruption = () => Promise<void>;

/** What an outage of PostgreSQL may bring: 503 with Retry-After (docs/operating.md). */
const databaseGone = 'PostgreSQL';

/** Runs the topology under load while customers pay, ends each part in turn, and compares every book afterwards. */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  const say = options.say ?? (() => {});
  const topology = await startTopology(options);
  const callers = createCallers(topology);
  const buyers = createBuyers(topology, callers);
  try {
    say('the topology is up');
    const bought = [];
    for (let at = 0; at < options.customers; at += 1) bought.push(await buyers.buy(`caller-${at}`));
    if (callers.failures.length > 0) throw new Error(`before any disruption: ${JSON.stringify(callers.failures[0])}`);
    const keys = bought.map(({ key }) => key);
    const all = disruptionsOf(topology, callers, keys);
    const beganMs = performance.now();
    const before = callers.sent();
    const load = callers.begin(keys, options.callsPerSecond);
    const paying = buyers.begin();
    await sleep(options.pauseMs);
    for (const name of options.disruptions?.([...all.keys()]) ?? all.keys()) {
      const failedBefore = callers.failures.length;
      const tookFrom = performance.now();
      callers.enter(name);
      await all.get(name)?.();
      say(
        `${name}: ${callers.failures.length - failedBefore} failed, back after ${Math.round(performance.now() - tookFrom)} ms`,
      );
      await sleep(options.pauseMs);
    }
    await load.stop();
    const perSecond = (callers.sent() - before) / ((performance.now() - beganMs) / 1000);
    const customersPaid = (await paying.stop()) + bought.length;
    return { ...(await compare(topology, callers, bought)), sent: callers.sent(), perSecond, customersPaid };
  } finally {
    await callers.close();
    await topology.stop();
  }
}

function disruptionsOf(
  { services, frontDoor, addressOf, database }: Topology,
  callers: Callers,
  keys: readonly string[],
): Map<string, Disruption> {
  const all = new Map<string, Disruption>();
  for (const [name, service] of services) {
    all.set(`kill ${name}`, async () => {
      const noticed = callers.partEnds(name);
      await service.kill(() => untilNoticed(addressOf(name)).then(noticed));
    });
    all.set(`roll ${name}`, service.roll);
  }
  all.set('kill a worker of nginx', async () => {
    const noticed = callers.partEnds('worker of nginx');
    await frontDoor.killWorker();
    await ownConnectionsRead();
    noticed();
  });
  all.set('reload nginx', async () => {
    const noticed = frontDoor.keepsCallers ? undefined : callers.partEnds('idle connection of nginx');
    await frontDoor.reload();
    await ownConnectionsRead();
    noticed?.();
  });
  all.set('kill nginx', async () => {
    // Nothing takes calls until it is back: those of the meantime fail too.
    const noticed = callers.partEnds('nginx');
    await frontDoor.nginx.kill(async () => {});
    noticed();
  });
  for (const [name, { begin, end, mend }] of database.outages)
    all.set(name, async () => {
      const recovered = callers.partEnds(databaseGone);
      await begin();
      await end();
      await untilServed(callers, keys);
      recovered();
      await mend?.();
    });
  return all;
}

/** This process has read what the kernel knew of its connections: one turn of the event loop may have begun before. */
async function ownConnectionsRead(): Promise<void> {
  await oneTurn();
  await oneTurn();
}

/** "Everything recovers within seconds" (docs/operating): 15, in attempts, since a machine that stands still makes none. */
const recoversWithinAttempts = 75;
const attemptEveryMs = 200;

/** Waits until every key is served again, several times in a row. */
async function untilServed(callers: Callers, keys: readonly string[]): Promise<void> {
  for (let inARow = 0, attempts = 0; inARow < 5; attempts += 1) {
    if (attempts >= recoversWithinAttempts)
      throw new Error(`calls still fail at attempt ${attempts} after PostgreSQL is back`);
    const served = await Promise.all(keys.map((key) => callers.call(key)));
    inARow = served.every(({ status }) => status === 200) ? inARow + 1 : 0;
    await sleep(attemptEveryMs);
  }
}

const countRow = z.object({ activation: z.string(), units: z.number() });
const paymentRow = z.object({ id: z.string(), amount: z.number() });
/** The most that Razorpay gives at once. */
const pageSize = 100;
const captured = z.object({
  items: z.array(z.object({ id: z.string(), amount: z.number(), status: z.string(), amount_refunded: z.number() })),
});

async function compare(topology: Topology, callers: Callers, bought: { activationId: string; key: string }[]) {
  const connection = connect(topology.database.databaseUrl, { applicationName: 'octroi rehearsal' });
  try {
    const hasEveryResponse = (units: ReadonlyMap<string, number>): boolean =>
      bought.every(({ activationId, key }) => (units.get(activationId) ?? 0) >= (callers.calls.get(key)?.ok ?? 0));
    const units = await untilCounted(connection.db, hasEveryResponse);
    const miscounted = bought.flatMap(({ activationId, key }) => {
      const { ok = 0, marked = 0 } = callers.calls.get(key) ?? {};
      const counted = units.get(activationId) ?? 0;
      // A call that was on its way at a killed part may have been counted without a response, or sent again by nginx.
      return counted < ok || counted > ok + marked
        ? [`${activationId}: ${ok} responses, ${marked} unsure, ${counted} counted`]
        : [];
    });
    const { unexpected, explained } = sortFailures(callers.failures);
    return {
      unexpected,
      explained,
      miscounted,
      counted: sumOf(units),
      strayPayments: await strayPayments(topology, connection.db),
      ledgerFaults: (await verifyLedgerOf(connection.db)).faults,
    };
  } finally {
    await connection.close();
  }
}

type Db = ReturnType<typeof connect>['db'];

/** Ends the wait for calls that are never counted. */
const countingTimeoutMs = 60_000;

/** Waits until the gateways have counted every response, and the sum stands still: calls that were cut off may be counted after the others. */
async function untilCounted(
  db: Db,
  hasEveryResponse: (units: ReadonlyMap<string, number>) => boolean,
): Promise<ReadonlyMap<string, number>> {
  const deadline = performance.now() + countingTimeoutMs;
  for (let before = -1; ; await sleep(2000)) {
    const units = await countedUnits(db);
    const sum = sumOf(units);
    if (sum === before && (hasEveryResponse(units) || performance.now() > deadline)) return units;
    before = sum;
  }
}

/** The units counted for each activation. */
async function countedUnits(db: Db): Promise<ReadonlyMap<string, number>> {
  const counts = checkedRows(
    countRow,
    await sql`select activation_id as activation, sum(units)::float8 as units from usage_counts where counted group by 1`.execute(
      db,
    ),
  );
  return new Map(counts.map(({ activation, units }) => [activation, units]));
}

const sumOf = (units: ReadonlyMap<string, number>): number => [...units.values()].reduce((sum, one) => sum + one, 0);

async function strayPayments(topology: Topology, db: Db): Promise<string[]> {
  const { razorpayKeyId, razorpayKeySecret } = standinAccounts;
  const authorization = `Basic ${Buffer.from(`${razorpayKeyId}:${razorpayKeySecret}`).toString('base64')}`;
  const atProvider = new Map<string, number>();
  for (let skip = 0, isLast = false; !isLast; skip += pageSize) {
    const path = `/v1/payments?count=${pageSize}&skip=${skip}`;
    const response = await fetch(`${topology.razorpayUrl}${path}`, { headers: { authorization } });
    const { items } = captured.parse(await response.json());
    for (const { id, status, amount } of items) if (status === 'captured') atProvider.set(id, amount);
    isLast = items.length < pageSize;
  }
  const here = checkedRows(
    paymentRow,
    await sql`select p.provider_payment_id as id, p.amount_paise::float8 as amount from payments p
      join cycles c on c.id = p.cycle_id and c.status = 'PAID' where p.use = 'CYCLE'`.execute(db),
  );
  const paid = new Map(here.map(({ id, amount }) => [id, amount]));
  const ids = new Set([...atProvider.keys(), ...paid.keys()]);
  return [...ids].filter((id) => atProvider.get(id) !== paid.get(id));
}

const add = (to: Record<string, number>, name: string) => (to[name] = (to[name] ?? 0) + 1);

/** Counts the failures by the part that explains them, and those that nothing explains by what they were. */
function sortFailures(failures: readonly Failure[]) {
  const unexpected: Record<string, number> = {};
  const explained: Record<string, number> = {};
  for (const failure of failures) {
    const [part] = failure.during;
    const isRefusal = failure.status === 503 && failure.retryAfter > 0;
    if (part !== undefined && (part !== databaseGone || isRefusal)) add(explained, part);
    else
      add(unexpected, `${failure.phase}: ${failure.what} ${failure.status} ${failure.reason.replaceAll(/\s+/g, ' ')}`);
  }
  return { unexpected, explained };
}
