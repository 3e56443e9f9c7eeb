import type { quotaCalls } from '#shared/contract/operator/quota.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { previewQuota, setQuota } from './quota.ts';
import { overrideRate, previewRate } from './rate.ts';

export const quotaHandlers: Handlers<typeof quotaCalls> = {
  setQuota: {
    preview: (operator, { cycleId, units }) => previewQuota(operator, cycleId, units),
    perform: (operator, { cycleId, units }, cause) => setQuota(operator, cycleId, units, cause),
  },
  overrideCallsPerSecond: {
    preview: (operator, { activationId, callsPerSecond }) => previewRate(operator, activationId, callsPerSecond),
    perform: (operator, { activationId, callsPerSecond }, cause) =>
      overrideRate(operator, activationId, callsPerSecond, cause),
  },
};
