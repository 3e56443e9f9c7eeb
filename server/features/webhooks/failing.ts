import type { Db } from '#shared/database/connect.ts';
import { shownUrl } from './describe.ts';
import { provider, selectWebhooks } from './store.ts';

/** One failure may be a moment of load, and is tried again. */
const momentMs = 3_600_000;

/** The provider's webhooks that have failed for an hour, or were switched off because of that. */
export async function listFailingEndpoints(db: Db, nowMs: number) {
  const rows = await selectWebhooks(provider, db);
  return rows.flatMap(({ id, url, disabled_at: disabledAt, disabled_reason: reason, failing_since: failingSince }) => {
    const since = reason === 'OWNER' ? null : (disabledAt ?? failingSince);
    const isLong = disabledAt !== null || (since !== null && since.getTime() < nowMs - momentMs);
    return since === null || !isLong ? [] : [{ id, url: shownUrl(url), since, isOff: disabledAt !== null }];
  });
}
