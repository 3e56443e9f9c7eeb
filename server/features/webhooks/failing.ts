import type { Db } from '#shared/database/connect.ts';
import { shownUrl } from './describe.ts';
import { ownedBy, provider } from './store.ts';

/** One failure may be a moment of load, and is tried again. */
const momentMs = 3_600_000;

/** Webhooks that have failed for an hour, or were switched off because of that. */
export const selectFailingWebhooks = (db: Db, nowMs: number) =>
  db
    .selectFrom('webhooks')
    .where((of) =>
      of.or([
        of.and([of('disabled_at', 'is', null), of('failing_since', '<', new Date(nowMs - momentMs))]),
        of('disabled_reason', 'in', ['FAILING', 'GONE']),
      ]),
    );

/** Those of the provider. */
export async function listFailingEndpoints(db: Db, nowMs: number) {
  const rows = await selectFailingWebhooks(db, nowMs)
    .select(['id', 'url', 'disabled_at', 'failing_since'])
    .where(ownedBy(provider, 'customer_id'))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, url, disabled_at: disabledAt, failing_since: failingSince }) => ({
    id,
    url: shownUrl(url),
    since: disabledAt ?? failingSince,
    isOff: disabledAt !== null,
  }));
}
