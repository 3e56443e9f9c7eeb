import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { emailSchema } from '#shared/contract/email.ts';
import { daySchema, doneSchema } from '#shared/contract/values.ts';

const accountantSchema = z.object({
  /** Null: nobody was asked, or the mails have ended. */
  accountant: z
    .object({
      email: z.string(),
      askedOn: daySchema,
      /** The last day on which the link of the request can be followed. */
      answerBy: daySchema,
      /** Null until the accountant has confirmed: nothing is sent before. */
      confirmedOn: daySchema.nullable(),
    })
    .nullable(),
});
export type AccountantState = z.output<typeof accountantSchema>;

export const readAccountant = defineCall({
  name: 'readAccountant',
  summary: 'Get the accountant who gets the papers of each month by mail',
  method: 'GET',
  path: '/billing/accountant',
  auth: 'session',
  reply: accountantSchema,
  refusals: [],
});

export const askAccountant = defineCall({
  name: 'askAccountant',
  summary: 'Ask an accountant by mail to confirm; then the papers of each month are mailed on the 1st of the next',
  method: 'PUT',
  path: '/billing/accountant',
  auth: 'session',
  body: z.strictObject({ email: emailSchema }),
  reply: accountantSchema,
  refusals: ['no_documents_yet', 'accountant_declined', 'accountant_asked_too_often', 'too_many_requests'],
});

export const removeAccountant = defineCall({
  name: 'removeAccountant',
  summary: 'Stop mailing the papers to the accountant; no error when nobody gets them',
  method: 'DELETE',
  path: '/billing/accountant',
  auth: 'session',
  reply: doneSchema,
  refusals: [],
});

/** The link of a mail to an accountant is the permission. */
const ofLink = {
  params: z.object({ accountantId: ids.accountant }),
  query: z.object({ signature: z.string().max(64) }),
};

const requestSchema = z.object({
  customerName: z.string(),
  email: z.string(),
  /** ASKED: waits for an answer. EXPIRED: it was not answered in time. ON: mails are sent. ENDED: by either side. */
  status: z.enum(['ASKED', 'EXPIRED', 'ON', 'ENDED']),
});
export type AccountantRequestStatus = z.output<typeof requestSchema>['status'];

export const readAccountantRequest = defineCall({
  name: 'readAccountantRequest',
  summary: 'For an accountant, by the link of a mail: who wants to send papers, and whether they are sent',
  method: 'GET',
  path: '/accountants/:accountantId',
  auth: 'none',
  ...ofLink,
  reply: requestSchema,
  refusals: ['not_found', 'too_many_requests'],
});

export const answerAccountantRequest = defineCall({
  name: 'answerAccountantRequest',
  summary: 'For an accountant, by the link of a mail: confirm, or decline and stop all mails',
  method: 'POST',
  path: '/accountants/:accountantId',
  auth: 'none',
  ...ofLink,
  body: z.strictObject({ wanted: z.boolean() }),
  reply: requestSchema,
  refusals: ['not_found', 'link_expired', 'too_many_requests'],
});
