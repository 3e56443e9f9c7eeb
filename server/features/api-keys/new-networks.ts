import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import { happened } from '#server/features/events/events.ts';
import type { Portal } from '#server/portal.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { selectNewNetworks, updateAnnounced } from './store.ts';

const maxPerRound = 500;
/** A key with this many networks is used where addresses change all the time, so one more means nothing. */
const manyNetworks = 10;

/** Tells the owners of keys that were used from a network for the first time, except the first network of a key. */
export async function announceNewNetworks(portal: Portal, items = unrecorded): Promise<void> {
  for (const { customerId, network, isFirst, known, isLive, ...use } of await selectNewNetworks(
    portal.db,
    maxPerRound,
  )) {
    await items.each(`${use.keyId} ${network}`, () =>
      transaction(portal.db, async (tx) => {
        await updateAnnounced(tx, use.keyId, network);
        if (isFirst || !isLive || known >= manyNetworks) return;
        await happened(portal, { customerId }, tx, { type: 'key.new_network', ...use, day: dayOf(use.at.getTime()) });
      }),
    );
  }
}
