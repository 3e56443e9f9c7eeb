import { z } from 'zod';
import { documentKindSchema } from '#shared/contract/documents.ts';
import { daySchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

export const sendDocuments = defineOperatorCall({
  name: 'sendDocuments',
  summary: 'Mail documents of one customer again, as their newest versions are',
  auth: 'operator',
  action: 'documents.send',
  concerns: 'customer',
  input: z.strictObject({
    /** Their numbers or ids. */
    documents: z.array(z.string()).min(1),
    /** Another address than the one with which the customer signs in. */
    to: z.string().optional(),
  }),
  reply: z.object({
    customerId: z.string(),
    recipient: z.string(),
    /** The recipient is not the customer's sign-in address. */
    isOtherAddress: z.boolean(),
    documents: z.array(
      z.object({
        id: z.string(),
        kind: documentKindSchema,
        number: z.string(),
        issuedOn: daySchema,
        exempt: z.boolean(),
        title: z.string(),
      }),
    ),
  }),
});

export const documentCalls = { sendDocuments };
