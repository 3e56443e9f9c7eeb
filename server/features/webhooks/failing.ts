import type { Db } from '#shared/database/connect.ts';
import { shownUrl } from './describe.ts';
import { provider, selectWebhooks } from './store.ts';

/** The provider's webhooks whose last delivery failed, or that were switched off because of that. */
export async function listFailingEndpoints(db: Db) {
  const rows = await selectWebhooks(provider, db);
  return rows.flatMap(({ id, url, disabled_at: disabledAt, disabled_reason: reason, failing_since: failingSince }) => {
    const since = reason === 'OWNER' ? null : (disabledAt ?? failingSince);
    return since === null ? [] : [{ id, url: shownUrl(url), since, isOff: disabledAt !== null }];
  });
}
