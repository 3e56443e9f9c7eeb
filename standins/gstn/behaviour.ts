import { z } from 'zod';

const outcome = z.enum(['ok', 'slow', 'down', 'unreadable', 'error-500']);

/** What goes wrong from now on; what is left out goes right. */
export const behaviourSchema = z.strictObject({
  search: outcome.default('ok'),
  /** timeout-after-register: the document is registered and the answer never comes. */
  register: z.enum([...outcome.options, 'timeout-after-register']).default('ok'),
  login: z.enum(['ok', 'refused']).default('ok'),
  /** How long a slow answer takes. */
  slowMs: z.int().min(0).max(120_000).default(60_000),
});

export type Behaviour = z.output<typeof behaviourSchema>;
