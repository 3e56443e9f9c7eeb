import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { renewalSchema } from '#shared/contract/renewals.ts';
import { askedRupeesSchema } from '#shared/contract/values.ts';

const ofActivation = { params: z.object({ activationId: ids.activation }) };

export const setRecharge = defineCall({
  name: 'setRecharge',
  summary: 'Agree that a pack is debited before the units of a plan run out, or change that (decision 080)',
  method: 'PUT',
  path: '/billing/:activationId/recharge',
  auth: 'session',
  ...ofActivation,
  body: z.strictObject({
    packId: ids.plan,
    /** The most that such debits take in a calendar month (IST), GST included; at least the price of the pack. */
    monthlyCeiling: askedRupeesSchema,
  }),
  reply: renewalSchema,
  refusals: ['not_found', 'not_renewing', 'too_many_requests'],
});

export const skipRecharge = defineCall({
  name: 'skipRecharge',
  summary: 'Skip the debit of a pack that was announced, for good',
  method: 'POST',
  path: '/billing/:activationId/recharge/skip',
  auth: 'session',
  ...ofActivation,
  /** Those of the plan for which it was announced: nothing is found for others, nor once it is not announced any more. */
  body: z.strictObject({ quotaUnits: z.int().min(1).max(2_147_483_647) }),
  reply: renewalSchema,
  refusals: ['not_found', 'not_renewing', 'payment_under_way', 'too_many_requests'],
});

export const endRecharge = defineCall({
  name: 'endRecharge',
  summary: 'Turn recharges off: no pack is debited from now on; no error when they are off',
  method: 'DELETE',
  path: '/billing/:activationId/recharge',
  auth: 'session',
  ...ofActivation,
  reply: renewalSchema,
  refusals: ['not_found', 'too_many_requests'],
});
