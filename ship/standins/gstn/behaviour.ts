import { z } from 'zod';

const outcome = z.enum(['ok', 'slow', 'down', 'unreadable', 'error-500']);

/** Failures to simulate from now on; an omitted field works normally. */
export const behaviourSchema = z.strictObject({
  search: outcome.default('ok'),
  /** timeout-after-register: the document is registered, but the response never arrives. elsewhere: another invoice portal has registered it. */
  register: z.enum([...outcome.options, 'timeout-after-register', 'elsewhere']).default('ok'),
  /** stale: the invoice portal knows a GSTIN only after its details were synchronised with the GST portal. */
  master: z.enum([...outcome.options, 'stale']).default('ok'),
  login: z.enum(['ok', 'refused']).default('ok'),
  /** The delay of a slow response. */
  slowMs: z.int().min(0).max(120_000).default(60_000),
});

export type Behaviour = z.output<typeof behaviourSchema>;
