import type { waitingCalls } from '#shared/contract/operator/waiting.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { listWaiting } from './waiting.ts';

export const waitingHandlers: Handlers<typeof waitingCalls> = {
  listWaiting: { read: async ({ db, clock }, wanted) => ({ kinds: await listWaiting(db, clock(), wanted) }) },
};
