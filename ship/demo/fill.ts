import { connect } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import { listProducts } from '#shared/contract/marketplace.ts';
import type { Actor } from './actor.ts';
import { countCallsOf, growing } from './calls-of-past.ts';
import { createPast } from './past.ts';
import { rolesOf } from './plan-roles.ts';
import { type PortalPlace, signInCustomer } from './portal-customer.ts';
import * as stories from './stories.ts';

/**
 * Gives a running, empty portal a year of history: customers in every state, created through the real calls while the
 * product's clock is moved. Only API calls are counted without being made.
 * @param tell receives each day as it is played
 * @returns false for a portal that already has customers, which is left unchanged
 */
export async function fillDemo(
  place: PortalPlace,
  databaseUrl: string,
  tell: (day: string) => void = () => {},
): Promise<boolean> {
  const { db, close } = connect(databaseUrl, { applicationName: 'octroi demo', maxConnections: 2 });
  try {
    if ((await db.selectFrom('customers').select('id').limit(1).execute()).length > 0) return false;
    const past = createPast(db, place.razorpayUrl, systemClock);
    const count = async (actor: Actor, { most, onToday }: { most: number; onToday?: number }) => {
      const today = await playedDay();
      const keys = await actor.customer.send(listApiKeys, { params: { activationId: actor.activationId } });
      const cycles = (await actor.cycles()).filter(({ status }) =>
        ['PAID', 'NO_PAYMENT_REQUIRED', 'EXPIRED'].includes(status),
      );
      const first = cycles.map(({ fromDate }) => fromDate).toSorted()[0] ?? today;
      for (const cycle of cycles) {
        await countCallsOf(
          db,
          { ...cycle, activationId: actor.activationId },
          actor.keyIds.length > 0 ? actor.keyIds : keys.map(({ id }) => id),
          growing(first, today, most),
          onToday === undefined ? { today } : { today, onToday },
        );
      }
    };
    const playedDay = async () => {
      const clock = await db.selectFrom('clock').select('offset_ms').executeTakeFirst();
      return dayOf(systemClock() + (clock?.offset_ms ?? 0));
    };
    // Signs up today in any case, and does nothing.
    const visitor = await signInCustomer(place, { account: 'lalrinpuii' });
    const [main, second] = rolesOf(await visitor.send(listProducts, {}));
    if (main === undefined) throw new Error('The demo needs a product with a paid plan of at most 30 days.');
    const signIn = (account: string) => signInCustomer(place, { account });
    const stage: stories.Stage = { past, main, second, signIn, count };
    for (const story of Object.values(stories)) story(stage);
    await past.play(tell);
    return true;
  } finally {
    await close();
  }
}
