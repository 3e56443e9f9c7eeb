import { findPlan, productName } from '#catalog/catalog.ts';
import type { Tx } from '#shared/database/connect.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { type Day, dayOf, laterDay } from '#shared/domain/day.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import type { MailedType } from '#shared/domain/mail-kind.ts';
import { replyAddress } from '#shared/domain/mail-reply.ts';
import { readProfile, readUser } from '#server/features/account/account.ts';
import { readReplyToken } from '#server/features/support/support.ts';
import type { Owner, EventContext } from '#server/portal.ts';
import type { EventMail, Mails, Named } from './event-mail.ts';
import { accountantMails } from './of/accountants.ts';
import { accountMails } from './of/accounts.ts';
import { billMails } from './of/bills.ts';
import { documentMails } from './of/documents.ts';
import { keyMails } from './of/keys.ts';
import { memberMails } from './of/members.ts';
import { paymentMails } from './of/payments.ts';
import { planMails } from './of/plans.ts';
import { rechargeMails } from './of/recharges.ts';
import { refundMails } from './of/refunds.ts';
import { renewalMails } from './of/renewals.ts';
import { supportMails } from './of/support.ts';
import { payPathOf } from './pay-path.ts';
import { wasToldOfFailure } from './told-of-failure.ts';
import { transferOf } from './transfer-of.ts';

const mails: Mails = {
  ...accountantMails,
  ...accountMails,
  ...billMails,
  ...documentMails,
  ...keyMails,
  ...memberMails,
  ...paymentMails,
  ...planMails,
  ...rechargeMails,
  ...refundMails,
  ...renewalMails,
  ...supportMails,
};

/** The mail about an event, if there is one. */
export async function mailOfEvent(
  context: EventContext,
  owner: Owner,
  tx: Tx,
  event: PortalEvent<MailedType>,
): Promise<EventMail | undefined> {
  const { catalog, settings } = context;
  const base = settings.supportReplyAddress;
  // The mail about its refund says it.
  if (event.type === 'dispute.ended' && event.status === 'lost') return undefined;
  // The mail about the renewal says it.
  if (event.type === 'payment.failed' && (event.isDebit || (await wasToldOfFailure(context, owner, tx, event))))
    return undefined;
  return makeMail(event, {
    planOf: async (cycleId) => {
      const cycle = await selectCycle(owner, tx, cycleId);
      const product = catalog.find(cycle.service_id);
      return {
        productName: productName(catalog, cycle.service_id),
        planName: cycle.plan.name,
        activationId: cycle.activation_id,
        inUnits: cycle.plan.costs !== undefined,
        hasPacks: ((product && findPlan(product, cycle.plan.planId)?.packs.length) ?? 0) > 0,
        isPack: cycle.adds_to !== null,
      };
    },
    stopsPlans: (on) => hasUnpaidPlan(owner, tx, laterDay(on, dayOf(context.clock()))),
    transferOf: (paymentId) => transferOf(owner, tx, paymentId),
    payPath: (of) => payPathOf(owner, tx, of),
    nameOfProduct: (productId) => productName(catalog, productId),
    nameOfCustomer: async () => (await readProfile(owner, tx))?.legalName ?? (await readUser(owner, tx)).name,
    threadOf: async (id, side) => {
      if (base === undefined) return { id, replyTo: undefined };
      return { id, replyTo: replyAddress(base, await readReplyToken(owner, tx, id, side)) };
    },
    readSender: async () => ({ ...owner, ...(await readUser(owner, tx)) }),
  });
}

export function isMailed(event: PortalEvent): event is PortalEvent<MailedType> {
  return Object.hasOwn(mails, event.type);
}

function makeMail<Type extends MailedType>(event: PortalEvent<Type>, named: Named) {
  return mails[event.type](event, named);
}

async function hasUnpaidPlan(owner: Owner, tx: Tx, on: Day): Promise<boolean> {
  const plan = await tx
    .selectFrom('cycles')
    .select('id')
    .where('customer_id', '=', owner.customerId)
    .where('status', 'in', accessStatuses)
    .where('to_date', '>', on)
    .where((of) => of(of.fn('plan_stops_on', [of.table('cycles')]), 'is not', null))
    .limit(1)
    .executeTakeFirst();
  return plan !== undefined;
}

function selectCycle(owner: Owner, tx: Tx, cycleId: string) {
  return tx
    .selectFrom('cycles')
    .select(['activation_id', 'service_id', 'plan', 'adds_to'])
    .where('id', '=', cycleId)
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirstOrThrow();
}
