import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { billingStatusSchema, cycleSchema } from '#shared/contract/cycles.ts';
import { ids } from '#shared/contract/ids.ts';
import { renewalEffectShape } from '#shared/contract/renewal-effect.ts';
import {
  accessChangedSchema,
  catalogTextSchema,
  daySchema,
  instantSchema,
  productMarkSchema,
  quotaUseSchema,
  rupeesSchema,
} from '#shared/contract/values.ts';

export const activationSchema = z.object({
  id: z.string(),
  service: z.object({
    id: z.string(),
    /** 'Unknown API' when the product has been removed from the catalogue (product §2.25). */
    name: catalogTextSchema,
    /** The title of `/api/{id}`: mostly its name. */
    apiName: catalogTextSchema,
    mark: productMarkSchema,
    /** What the provider claims of its support; null: nothing. */
    supportClaim: catalogTextSchema.nullable(),
    /** Base address of its API; null when the product has been removed from the catalogue. */
    baseUrl: z.string().nullable(),
    /** Only products with a sandbox have test keys. */
    hasSandbox: z.boolean(),
  }),
  customer: z.object({ id: z.string(), fullName: z.string(), phoneNumber: z.string() }),
  createdAt: instantSchema,
  /** Of its first billing cycle (product §4.2); PENDING while no plan has been chosen. */
  billingStatus: billingStatusSchema,
  /** Today's usage of the running plan; null when no plan is running. */
  dailyUse: quotaUseSchema.nullable(),
  /**
   * Why calls are refused now, and the day on which that ends at 00:00 IST, null while nothing is bought that ends it.
   * Null while calls are not refused.
   */
  callsRefused: z
    .object({ reason: z.enum(['no-plan', 'unpaid-bill', 'daily-quota', 'monthly-quota']), until: daySchema.nullable() })
    .nullable(),
  /** The running cycle first, then paid upcoming, unpaid and ended ones, newest first. A role without money sees no payments and papers. */
  billingCycles: z.array(cycleSchema),
});
export type Activation = z.output<typeof activationSchema>;

export const listActivations = defineCall({
  name: 'listActivations',
  summary: 'The customer’s activations with their billing cycles',
  method: 'GET',
  path: '/customer/activations',
  auth: 'session',
  reply: z.object({ activations: z.array(activationSchema) }),
  refusals: [],
});

export const listActivatedServices = defineCall({
  name: 'listActivatedServices',
  summary: 'The services that the customer has activated',
  method: 'GET',
  path: '/devportal/services/activated',
  auth: 'session',
  reply: z.array(
    z.object({
      /** The activation's id. */
      id: z.string(),
      name: catalogTextSchema,
      mark: productMarkSchema,
      serviceId: z.string(),
      /** True while a plan is running. */
      isActive: z.boolean(),
      enabledAt: instantSchema,
      developerId: z.string(),
    }),
  ),
  refusals: [],
});

/** The consequences of deleting an activation, shown before the customer confirms (product §4.3, §4.12). */
export const deletionSchema = z.object({
  runningPlan: catalogTextSchema.nullable(),
  unusedDays: z.int(),
  unusedAmount: rupeesSchema,
  unpaidCycles: z.int(),
  upcomingCycles: z.int(),
  refundAmount: rupeesSchema,
  /** What of the refund is paid by bank transfer, as it can't go back the way it was paid. */
  transferAmount: rupeesSchema,
  /** What of it lowers bills that are paid later, instead. */
  offsetAmount: rupeesSchema,
  /** What of the price had been withheld from a bank transfer as tax (TDS): it never came, and isn't refunded. */
  withheldAmount: rupeesSchema,
  activeKeys: z.int(),
  ...renewalEffectShape,
});
export type Deletion = z.output<typeof deletionSchema>;

export const previewDeleteActivation = defineCall({
  name: 'previewDeleteActivation',
  summary: 'Preview what deleting an activation would end, forfeit and refund',
  method: 'GET',
  path: '/customer/activations/:activationId/deletion',
  auth: 'session',
  params: z.object({ activationId: ids.activation }),
  reply: deletionSchema,
  refusals: ['not_found'],
});

export const deleteActivation = defineCall({
  name: 'deleteActivation',
  summary:
    'Delete an activation: ends its plan, removes unpaid cycles, refunds upcoming ones, revokes its keys (product §4.3)',
  method: 'DELETE',
  path: '/customer/activations/:activationId',
  auth: 'session',
  params: z.object({ activationId: ids.activation }),
  reply: accessChangedSchema,
  refusals: ['not_found'],
});
