import { z } from 'zod';
import { cancelReasonNames } from '#shared/domain/e-invoice.ts';
import { daySchema, effectiveBySchema, instantSchema, rupeesSchema } from '#shared/contract/values.ts';
import { profileSchema } from '#shared/contract/account.ts';
import { recordedActionSchema } from './actions.ts';
import { mandateStates } from '#shared/domain/mandate.ts';
import { emailSchema } from '#shared/contract/email.ts';
import { termsSchema } from './credit.ts';
import { defineOperatorCall } from './operator-call.ts';
import { nextSchema, pageInput } from './page.ts';
import { soughtCallSchema } from './request-log.ts';

const foundCustomerSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  legalName: z.string().nullable(),
  gstin: z.string().nullable(),
  phone: z.string().nullable(),
  createdAt: instantSchema,
  /** Since when and why an operator blocked the account. */
  blockedAt: instantSchema.nullable(),
  blockedReason: z.string().nullable(),
  /** When nothing named the customer any more. */
  erasedAt: instantSchema.nullable(),
});
export type FoundCustomer = z.output<typeof foundCustomerSchema>;

export const findCustomers = defineOperatorCall({
  name: 'findCustomers',
  summary:
    'Customers by the id of anything of theirs, a key, a document number, a UTR, a request, or a part of what names them',
  auth: 'operator',
  input: z.strictObject({ text: z.string().max(500), ...pageInput }),
  reply: z.object({
    customers: z.array(foundCustomerSchema),
    next: nextSchema,
    /** The request that was meant. */
    call: soughtCallSchema.optional(),
    /** The order whose payment, or the transfer of whose refund, has this number (UTR) at a bank. */
    orderId: z.string().optional(),
  }),
});

export const readCustomer = defineOperatorCall({
  name: 'readCustomer',
  summary: 'A customer: activations with their running plans, keys in use, payments, and what operators did',
  auth: 'operator',
  input: z.strictObject({ customerId: z.string() }),
  reply: foundCustomerSchema.extend({
    activations: z.array(
      z.object({
        id: z.string(),
        productId: z.string(),
        createdAt: instantSchema,
        deletedAt: instantSchema.nullable(),
        keysInUse: z.int(),
        /** By which its plan renews. */
        mandate: z.object({ id: z.string(), state: z.enum(mandateStates) }).nullable(),
        /** The plan that gives access today. */
        plan: z
          .object({
            id: z.string(),
            name: z.string(),
            fromDate: daySchema,
            /** The first day after it. */
            toDate: daySchema,
            status: z.string(),
            granted: z.boolean(),
          })
          .nullable(),
      }),
    ),
    payments: z.array(
      z.object({
        id: z.string(),
        cycleId: z.string(),
        amount: rupeesSchema,
        status: z.string(),
        /** What the money was taken for. */
        use: z.string().nullable(),
        createdAt: instantSchema,
      }),
    ),
    actions: z.array(recordedActionSchema),
    /** On which it pays later; null where none were ever agreed. */
    terms: termsSchema.nullable(),
  }),
});

/** A customer before and after a block or its end, and what it concerns. */
const blockSchema = z.object({
  customerId: z.string(),
  name: z.string(),
  email: z.string(),
  /** Null when not blocked. */
  blockedSince: instantSchema.nullable(),
  blockedReason: z.string().nullable(),
  keysInUse: z.int(),
  /** The plans that go on without giving access. */
  runningPlans: z.array(
    z.object({ cycleId: z.string(), productId: z.string(), planName: z.string(), toDate: daySchema }),
  ),
  effectiveBy: effectiveBySchema,
});

const ofCustomer = z.strictObject({ customerId: z.string() });

export const blockCustomer = defineOperatorCall({
  name: 'blockCustomer',
  summary: 'Block a customer: every gateway refuses the calls, and nothing can be bought or paid',
  auth: 'operator',
  action: 'customers.block',
  concerns: 'customer',
  input: ofCustomer,
  reply: blockSchema,
});

export const unblockCustomer = defineOperatorCall({
  name: 'unblockCustomer',
  summary: 'Take the block of a customer away',
  auth: 'operator',
  action: 'customers.unblock',
  concerns: 'customer',
  input: ofCustomer,
  reply: blockSchema,
});

export const endSessions = defineOperatorCall({
  name: 'endSessions',
  summary: 'End the sessions of a customer, with the pages and streams that are open: they have to sign in again',
  auth: 'operator',
  action: 'sessions.end',
  concerns: 'customer',
  input: ofCustomer,
  /** `sessions`: how many end. */
  reply: z.object({ customerId: z.string(), name: z.string(), email: z.string(), sessions: z.int() }),
});

export const transferOwnership = defineOperatorCall({
  name: 'transferOwnership',
  summary: 'Offer the ownership of a customer, or take lost passkeys of the owner: in 7 days, unless the owner objects',
  auth: 'operator',
  action: 'customers.transfer',
  concerns: 'customer',
  input: ofCustomer.extend({ email: emailSchema }),
  /** `email`: of the owner; `told`: who gets a mail; `removesPasskeys`: the owner’s own address, and lost passkeys go. */
  reply: z.object({
    customerId: z.string(),
    name: z.string(),
    email: z.string(),
    to: z.string(),
    startsAt: instantSchema,
    endsAt: instantSchema,
    told: z.array(z.string()),
    removesPasskeys: z.boolean(),
  }),
});

export const seeAsCustomer = defineOperatorCall({
  name: 'seeAsCustomer',
  summary: 'See the portal as a customer does for 30 minutes, without being able to change anything',
  auth: 'operator',
  action: 'customers.see',
  concerns: 'customer',
  input: ofCustomer,
  reply: z.object({
    customerId: z.string(),
    name: z.string(),
    email: z.string(),
    until: instantSchema,
    /** Where it opens, shown once; null in a preview. */
    link: z.string().nullable(),
  }),
});

export const changeGstin = defineOperatorCall({
  name: 'changeGstin',
  summary: 'Correct the GSTIN in the business details of a customer',
  auth: 'operator',
  action: 'customers.gstin',
  concerns: 'customer',
  input: ofCustomer.extend({
    /** Null takes it away. */
    gstin: z.string().nullable(),
  }),
  reply: z.object({
    customerId: z.string(),
    legalName: z.string(),
    before: z.string().nullable(),
    /** Afterwards. */
    gstin: z.string().nullable(),
    /** Invoices that name another one and can still be corrected. */
    invoices: z.array(z.object({ number: z.string(), issuedOn: daySchema, gstin: z.string().nullable() })),
  }),
});

const { legalName, address, city, pin } = profileSchema.shape;
const detailsSchema = z.object({ legalName: z.string(), address: z.string(), city: z.string(), pin: z.string() });

export const changeDetails = defineOperatorCall({
  name: 'changeDetails',
  summary: 'Correct the name and address in the business details of a customer; the State stays',
  auth: 'operator',
  action: 'customers.details',
  concerns: 'customer',
  input: ofCustomer.extend({
    /** What is not given stays as it is. */
    legalName: legalName.optional(),
    address: address.optional(),
    city: city.optional(),
    pin: pin.optional(),
  }),
  reply: z.object({
    customerId: z.string(),
    before: detailsSchema,
    /** Afterwards. */
    details: detailsSchema,
    /** Invoices that name others and can still be corrected. */
    invoices: z.array(z.object({ number: z.string(), issuedOn: daySchema, name: z.string() })),
  }),
});

/** A buyer as an invoice names it. */
const buyerSchema = z.object({ name: z.string(), gstin: z.string().nullable() });

export const correctInvoice = defineOperatorCall({
  name: 'correctInvoice',
  summary: 'Correct the buyer of an invoice to the business details of today',
  auth: 'operator',
  action: 'documents.correct',
  concerns: 'customer',
  input: z.strictObject({ number: z.string() }),
  reply: z.object({
    number: z.string(),
    customerId: z.string(),
    before: buyerSchema,
    /** It keeps its number; otherwise a credit note cancels it and a new invoice replaces it. */
    amended: z.boolean(),
    /** The numbers of both; null in a preview: they are taken by whatever is issued next. */
    invoice: z.string().nullable(),
    creditNote: z.string().nullable(),
    /** Tax that was added to the price and is no longer due. */
    refunded: rupeesSchema,
  }),
});

export const cancelEInvoice = defineOperatorCall({
  name: 'cancelEInvoice',
  summary: 'Cancel the registration of an invoice within its 24 hours; a new invoice to the buyer of today replaces it',
  auth: 'operator',
  action: 'e-invoices.cancel',
  concerns: 'customer',
  input: z.strictObject({
    number: z.string(),
    /** The kind of reason that the invoice portal asks for. */
    because: z.enum(cancelReasonNames),
  }),
  reply: z.object({
    number: z.string(),
    customerId: z.string(),
    irn: z.string(),
    total: rupeesSchema,
    before: buyerSchema,
    /** To whom the new invoice is. */
    buyer: buyerSchema,
    /** Tax that was added to the price and is no longer due. */
    refunded: rupeesSchema,
    /** The number of the new invoice; null in a preview: it is taken by whatever is issued next. */
    replacedBy: z.string().nullable(),
  }),
});

export const customerCalls = {
  findCustomers,
  readCustomer,
  blockCustomer,
  unblockCustomer,
  endSessions,
  transferOwnership,
  seeAsCustomer,
  changeGstin,
  changeDetails,
  correctInvoice,
  cancelEInvoice,
};
