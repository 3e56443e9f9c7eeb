import { expect, test } from 'vitest';
import { useFleet } from './fleet.ts';
import { createProgress, newSeed, playShape, seededRandom, shapes, type Spread } from './load.ts';
import { findQuotaMismatches } from './quota-mismatches.ts';
import { createCustomer, usageOf } from './world.ts';

/** Plays every shape a hundred times (ROUNDS) over gateways in separate processes. */
const rounds = Number(process.env['ROUNDS'] ?? 100);
const fleet = useFleet(9, 1000);

const cases = shapes.flatMap((shape) =>
  (['even', 'skewed'] satisfies Spread[])
    .filter((spread) => spread === 'even' || shape.nodes > 1)
    .map((spread) => ({ ...shape, spread })),
);

test.each(cases)(
  '$nodes gateways, $units units, cost $cost, $concurrency at a time, $requests requests, $spread: 0 over and 0 under',
  async ({ spread, ...shape }) => {
    const { harness, agent, urls: all } = fleet();
    const random = seededRandom(newSeed());
    const urls = all.slice(0, shape.nodes);
    const progress = createProgress(`${Object.values(shape).join('/')} ${spread}`, rounds);
    const wanted = Math.min(shape.units, shape.requests * shape.cost);
    let over = 0;
    let under = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const customer = await createCustomer(harness.database.pool, { daily: shape.units, rps: 100_000 });
      const tally = await playShape(shape, spread, urls, customer.key, agent, random);
      const admitted = tally[200] ?? 0;
      over += Math.max(0, admitted - wanted);
      under += Math.max(0, wanted - admitted);
      expect(Object.keys(tally).filter((status) => !['200', '429'].includes(status))).toEqual([]);
      await expect
        .poll(() => usageOf(harness.database.pool, customer.activationId))
        .toEqual({ counted: admitted, free: 0 });
      progress(round, `, ${over} over, ${under} under`);
    }
    expect({ over, under }).toEqual({ over: 0, under: 0 });
    expect(await findQuotaMismatches(harness.database)).toEqual([]);
  },
);
