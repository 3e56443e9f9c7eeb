import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { monthPattern } from '#shared/domain/month.ts';

export const monthSchema = z
  .string()
  .regex(monthPattern, 'A month looks like 2026-11.')
  .meta({ description: 'A calendar month in IST, such as 2026-11' });

export const readMonthPack = defineCall({
  name: 'readMonthPack',
  summary:
    'Get a short-lived download address for a month’s papers as one ZIP: all PDFs, the purchase register and the usage',
  method: 'GET',
  path: '/billing/packs/:month',
  auth: 'session',
  params: z.object({ month: monthSchema }),
  reply: z.object({ downloadUrl: z.string() }),
  refusals: ['not_found', 'too_many_requests'],
});
