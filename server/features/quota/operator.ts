import type { quotaCalls } from '#shared/contract/operator/quota.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { previewQuota, setQuota } from './quota.ts';

export const quotaHandlers: Handlers<typeof quotaCalls> = {
  setQuota: {
    preview: (operator, { cycleId, units }) => previewQuota(operator, cycleId, units),
    perform: (operator, { cycleId, units }, cause) => setQuota(operator, cycleId, units, cause),
  },
};
