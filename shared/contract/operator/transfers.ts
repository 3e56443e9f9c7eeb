import { z } from 'zod';
import { askedRupeesSchema, daySchema, effectiveBySchema, rupeesSchema } from '#shared/contract/values.ts';
import { tdsPercents } from '#shared/domain/tds.ts';
import { defineOperatorCall } from './operator-call.ts';

/** A bank transfer, and the bill that it is for. */
const transferShape = {
  customerId: z.string(),
  customer: z.string(),
  orderId: z.string(),
  planName: z.string(),
  /** What came, what the order is over, and the tax that explains less, at the percentage of the value without GST. */
  amount: rupeesSchema,
  due: rupeesSchema,
  tds: rupeesSchema,
  percent: z.literal(tdsPercents).nullable(),
  utr: z.string(),
};

/** A bank transfer over what is due less tax (TDS) that its customer has not declared, or whose number is recorded as that of other money. */
const heldSchema = z.object({
  ...transferShape,
  paymentId: z.string(),
  /** What an operator has recorded with the same number, in words. */
  recordedAs: z.string().nullable(),
  heldOn: daySchema,
  /** From which day on calls of its plan are refused while its bill is not paid; null: it pays for a new plan. */
  stopsOn: daySchema.nullable(),
});
export type HeldTransfer = z.output<typeof heldSchema>;

export const listHeldTransfers = defineOperatorCall({
  name: 'listHeldTransfers',
  summary:
    'The bank transfers that are held: less than is due by what may be tax (TDS), or with a number that is recorded as that of other money, oldest first',
  auth: 'operator',
  input: z.strictObject({}),
  reply: z.array(heldSchema),
});

const ofPayment = z.strictObject({ paymentId: z.string() });

export const settleTransfer = defineOperatorCall({
  name: 'settleTransfer',
  summary: 'Let a held bank transfer pay: what it is less than is due is tax (TDS), receivable from the Government',
  auth: 'operator',
  action: 'transfers.settle',
  concerns: 'customer',
  input: ofPayment,
  reply: heldSchema.extend({ effectiveBy: effectiveBySchema }),
});

export const refundTransfer = defineOperatorCall({
  name: 'refundTransfer',
  summary: 'Give all of a held bank transfer back; what is due stays unpaid',
  auth: 'operator',
  action: 'transfers.refund',
  concerns: 'customer',
  input: ofPayment,
  reply: heldSchema,
});

export const recordReceivedTransfer = defineOperatorCall({
  name: 'recordReceivedTransfer',
  summary:
    'Record a bank transfer to your own account that pays a bill: exactly what is due, or that less tax (TDS), which you then confirm',
  auth: 'operator',
  action: 'transfers.record',
  concerns: 'customer',
  input: z.strictObject({
    /** The bill: an order (`ORD-…`), or a plan (`CYC-…`), whether its customer has asked to pay for it or not. */
    of: z.string(),
    amount: askedRupeesSchema,
    /** The number of the transfer, as `readUtr` reads it. */
    utr: z.string(),
    /** The day on which it came. */
    on: daySchema,
  }),
  reply: z.object({
    /** Null in a preview. */
    paymentId: z.string().nullable(),
    ...transferShape,
    /** Null in a preview where nobody has asked to pay for the plan: the order is made with the recording. */
    orderId: transferShape.orderId.nullable(),
    on: daySchema,
    effectiveBy: effectiveBySchema,
  }),
});

export const transferCalls = { listHeldTransfers, settleTransfer, refundTransfer, recordReceivedTransfer };
