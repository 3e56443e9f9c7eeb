import type { Product } from '#catalog/catalog.ts';
import { transaction } from '#shared/database/transaction.ts';
import type { Day } from '#shared/domain/day.ts';
import { type Deprecation, deprecationId } from '#shared/domain/deprecation.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import type { Portal } from '#server/portal.ts';
import { happened, notHappenedYet } from '#server/features/events/events.ts';

/** Maximum number of customers per statement. */
const batchSize = 500;

/**
 * Tells the customers who hold a key of a product what of it is deprecated, from its first day until it is gone: each once. A changed day
 * is told again.
 */
export async function announceDeprecations(portal: Portal, today: Day, items = unrecorded): Promise<void> {
  for (const product of portal.catalog.products) {
    for (const deprecation of product.deprecations) {
      const { since, sunset } = deprecation;
      if (since > today || (sunset !== undefined && sunset <= today)) continue;
      for (let after = ''; ;) {
        const holders = await selectUntold(portal, product, deprecation, after);
        for (const { cycleId, activationId, customerId } of holders) {
          const event = eventOf(product, deprecation, { cycleId, activationId });
          await items.each(activationId, () =>
            transaction(portal.db, (tx) => happened(portal, { customerId }, tx, event)),
          );
        }
        const last = holders.at(-1);
        if (last === undefined || holders.length < batchSize || items.stopping?.aborted) break;
        after = last.activationId;
      }
    }
  }
}

function eventOf(
  { id: productId }: Product,
  deprecation: Deprecation,
  of: { cycleId: string; activationId: string },
): PortalEvent<'api.deprecated'> {
  const { since, sunset = null, note, link = null } = deprecation;
  const facts = { what: deprecation.of, since, sunset, note, link };
  return { type: 'api.deprecated', productId, deprecationId: deprecationId(deprecation), ...of, ...facts };
}

/** Activations with a key that still works and a cycle, whose customer was not told yet; with their latest cycle. */
function selectUntold(portal: Portal, product: Product, deprecation: Deprecation, after: string) {
  const now = new Date(portal.clock());
  return portal.db
    .selectFrom('activations')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('cycles')
          .select('cycles.id')
          .whereRef('cycles.activation_id', '=', 'activations.id')
          .orderBy('cycles.from_date', 'desc')
          .orderBy('cycles.id')
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .select(['latest.id as cycleId', 'activations.id as activationId', 'activations.customer_id as customerId'])
    .where('activations.id', '>', after)
    .where('activations.service_id', '=', product.id)
    .where('activations.deleted_at', 'is', null)
    .where((where) =>
      where.exists(
        where
          .selectFrom('api_keys')
          .select('api_keys.id')
          .whereRef('api_keys.activation_id', '=', 'activations.id')
          .where('api_keys.revoked_at', 'is', null)
          .where((key) => key.or([key('api_keys.expires_at', 'is', null), key('api_keys.expires_at', '>', now)])),
      ),
    )
    .where(notHappenedYet(eventOf(product, deprecation, { cycleId: '', activationId: '' }), 'activations.id'))
    .orderBy('activations.id')
    .limit(batchSize)
    .execute();
}
