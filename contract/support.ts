import { z } from 'zod';
import { defineCall } from '#contract/call.ts';
import { ids } from '#contract/ids.ts';
import { instantSchema } from '#contract/values.ts';

export const supportMessageSchema = z.object({
  id: z.string(),
  subject: z.string(),
  message: z.string(),
  activationId: z.string().nullable(),
  createdAt: instantSchema,
});
export type SupportMessage = z.output<typeof supportMessageSchema>;

export const createSupportMessage = defineCall({
  name: 'createSupportMessage',
  summary: 'Send a message to the provider; it is stored and mailed',
  method: 'POST',
  path: '/support/messages',
  auth: 'session',
  body: z.strictObject({
    subject: z.string().trim().min(1, 'Enter a short subject').max(120),
    message: z.string().trim().min(1, 'Write your message').max(5000),
    /** The activation it is about, if any. */
    activationId: ids.activation.nullable(),
  }),
  reply: supportMessageSchema,
  refusals: ['not_found', 'too_many_requests'],
});

export const listSupportMessages = defineCall({
  name: 'listSupportMessages',
  summary: 'List the customer’s messages to the provider, newest first',
  method: 'GET',
  path: '/support/messages',
  auth: 'session',
  reply: z.array(supportMessageSchema),
  refusals: [],
});
