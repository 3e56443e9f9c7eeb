import { z } from 'zod';
import { defineCall } from '#contract/call.ts';

export const readDataExport = defineCall({
  name: 'readDataExport',
  summary: 'Get a short-lived download address for everything that is kept about the customer, as one ZIP',
  method: 'GET',
  path: '/account/export',
  auth: 'session',
  reply: z.object({ downloadUrl: z.string() }),
  refusals: ['too_many_requests'],
});
