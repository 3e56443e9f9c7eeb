import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import type { customerCalls } from '#shared/contract/operator/customers.ts';
import { dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import type { Cancellation } from '#server/features/documents/documents.ts';
import { cancelEInvoice, previewCancellation } from '#server/features/refunds/refunds.ts';
import type { Handlers, OperatorSource } from '#server/operator-handler.ts';
import {
  type BlockFacts,
  blockCustomer,
  readBlockFacts,
  requireBlocked,
  requireUnblocked,
  unblockCustomer,
} from './blocks.ts';
import {
  changeDetails,
  changeGstin,
  correctInvoiceOf,
  type InvoiceCorrection,
  previewDetails,
  previewGstin,
  previewInvoiceCorrection,
} from './corrections.ts';
import { findCustomers, readCustomer } from './customers.ts';
import { beginView, previewView } from './see-as.ts';
import { previewTransfer, transferOwnership } from '#server/features/members/members.ts';
import { endSessions, readSessions } from './sessions.ts';

export const customerHandlers: Handlers<typeof customerCalls> = {
  findCustomers: { read: (source, { text, ...page }) => findCustomers(source, text, page) },
  readCustomer: { read: ({ db, clock }, { customerId }) => readCustomer(db, customerId, dayOf(clock())) },
  blockCustomer: {
    preview: async (operator, { customerId }) => blockOf(requireUnblocked(await factsOf(operator, customerId)), null),
    perform: async (operator, { customerId }, cause) => {
      const { effectiveBy } = await blockCustomer(operator, customerId, cause);
      return blockOf(await factsOf(operator, customerId), effectiveBy);
    },
  },
  unblockCustomer: {
    preview: async (operator, { customerId }) => blockOf(requireBlocked(await factsOf(operator, customerId)), null),
    perform: async (operator, { customerId }, cause) => {
      const { effectiveBy } = await unblockCustomer(operator, customerId, cause);
      return blockOf(await factsOf(operator, customerId), effectiveBy);
    },
  },
  endSessions: {
    needs: 'database',
    preview: ({ db }, { customerId }) => readSessions(db, customerId),
    perform: (operator, { customerId }, cause) => endSessions(operator, customerId, cause),
  },
  transferOwnership: {
    preview: (operator, { customerId, email }) => previewTransfer(operator, customerId, email),
    perform: (operator, { customerId, email }, cause) => transferOwnership(operator, customerId, email, cause),
  },
  seeAsCustomer: {
    needs: 'database',
    preview: ({ db }, { customerId }) => previewView(db, customerId),
    perform: (operator, { customerId }, cause) => beginView(operator, customerId, cause),
  },
  changeGstin: {
    preview: (operator, { customerId, gstin }) => previewGstin(operator, customerId, gstin),
    perform: (operator, { customerId, gstin }, cause) => changeGstin(operator, customerId, gstin, cause),
  },
  changeDetails: {
    preview: (operator, { customerId, ...change }) => previewDetails(operator, customerId, given(change)),
    perform: (operator, { customerId, ...change }, cause) => changeDetails(operator, customerId, given(change), cause),
  },
  correctInvoice: {
    preview: async (operator, { number }, cause) => ({
      ...correctionOf(await previewInvoiceCorrection(operator, number, cause)),
      invoice: null,
      creditNote: null,
    }),
    perform: async (operator, { number }, cause) => correctionOf(await correctInvoiceOf(operator, number, cause)),
  },
  cancelEInvoice: {
    preview: async (operator, { number }, cause) => ({
      ...cancellationOf(await previewCancellation(operator, number, cause)),
      replacedBy: null,
    }),
    perform: async (operator, { number, because }, cause) => {
      const { replacedBy, ...cancelled } = await cancelEInvoice(operator, number, because, cause);
      return { ...cancellationOf(cancelled), replacedBy };
    },
  },
};

/** Without the fields that stay as they are. */
const given = ({ legalName, address, city, pin }: Omit<OperatorInput<'changeDetails'>, 'customerId'>) => ({
  ...(legalName !== undefined && { legalName }),
  ...(address !== undefined && { address }),
  ...(city !== undefined && { city }),
  ...(pin !== undefined && { pin }),
});

const cancellationOf = ({ totalPaise, refundPaise, ...facts }: Cancellation) => ({
  ...facts,
  total: rupees(totalPaise),
  refunded: rupees(refundPaise),
});

const factsOf = ({ db, clock }: OperatorSource, id: string) => readBlockFacts(db, id, dayOf(clock()));

/** The customer as the block finds or leaves it. */
const blockOf = ({ blockedSince, ...facts }: BlockFacts, effectiveBy: string | null) => ({
  ...facts,
  blockedSince: blockedSince?.toISOString() ?? null,
  effectiveBy,
});

function correctionOf(correction: InvoiceCorrection): OperatorReply<'correctInvoice'> {
  const { number, customerId, before, invoice, creditNote, refundPaise } = correction;
  const issued = { invoice: creditNote && invoice.number, creditNote: creditNote && creditNote.number };
  return { number, customerId, before, amended: creditNote === null, ...issued, refunded: rupees(refundPaise) };
}
