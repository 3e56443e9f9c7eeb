import type { AccountantRequestStatus, AccountantState } from '#shared/contract/accountants.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { confirmMs, emailOf, requestFault } from '#shared/domain/accountant.ts';
import { dayOf } from '#shared/domain/day.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import { isSameAddress } from '#shared/domain/google-address.ts';
import { monthOf } from '#shared/domain/month.ts';
import { audiences } from '#shared/policies/members/mails.ts';
import { readProfile, readUser } from '#server/features/account/account.ts';
import { happened } from '#server/features/events/events.ts';
import { lockCustomer } from '#server/features/ownership/ownership.ts';
import { newId } from '#server/crypto/ids.ts';
import { underConstraints } from '#server/refusals/constraints.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { EventContext, Owner, Portal } from '#server/portal.ts';
import { accountantPath, requireLink } from './link.ts';
import * as store from './store.ts';

export { mailMonths } from './mail-months.ts';

/** The owner's accountant. */
export async function readAccountant(owner: Owner, db: Db | Tx): Promise<AccountantState> {
  const row = await store.selectCurrent(owner, db);
  if (!row) return { accountant: null };
  const askedAt = row.asked_at.getTime();
  return {
    accountant: {
      email: row.email,
      askedOn: dayOf(askedAt),
      answerBy: dayOf(askedAt + confirmMs),
      confirmedOn: row.confirmed_at && dayOf(row.confirmed_at.getTime()),
    },
  };
}

/**
 * Asks an accountant by mail to confirm (product §6.26). It replaces the accountant before, who gets nothing any more. Asking the one who has
 * confirmed changes nothing.
 */
export async function askAccountant(portal: Portal, owner: Owner, written: string): Promise<AccountantState> {
  const email = emailOf(written);
  return underConstraints(() =>
    transaction(portal.db, async (tx) => {
      await lockCustomer(owner, tx);
      const now = portal.clock();
      const current = await store.selectCurrent(owner, tx);
      if (current?.email === email && current.confirmed_at !== null) return readAccountant(owner, tx);
      if (!(await store.hasDocuments(owner, tx))) throw refuse('no_documents_yet');
      const fault = requestFault(await store.selectEarlier(owner, tx, email), { ...owner, email }, now);
      if (fault === 'declined') throw refuse('accountant_declined');
      if (fault === 'too_often') throw refuse('accountant_asked_too_often');
      if (current) await store.end(tx, current.id, 'CUSTOMER', new Date(now));
      const id = newId('ACN');
      await store.insertRequest(owner, tx, { id, email, now: new Date(now) });
      const path = accountantPath(portal.linkSecret, id);
      await happened(portal, owner, tx, { type: 'accountant.asked', accountantId: id, email, path });
      return readAccountant(owner, tx);
    }),
  );
}

/** Stops the mails to the owner's accountant. */
export async function removeAccountant(portal: Portal, owner: Owner): Promise<void> {
  await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    const current = await store.selectCurrent(owner, tx);
    if (current) await store.end(tx, current.id, 'CUSTOMER', new Date(portal.clock()));
  });
}

/** An accountant who becomes a member gets each paper as one, and not by the mails of each month too. */
export async function endAsMember(portal: EventContext, owner: Owner, tx: Tx, event: PortalEvent): Promise<void> {
  if (event.type !== 'member.joined' || !audiences.papers.gets.some((role) => role === event.role)) return;
  const current = await store.selectCurrent(owner, tx);
  if (current && isSameAddress(current.email, event.email))
    await store.end(tx, current.id, 'CUSTOMER', new Date(portal.clock()));
}

interface Link {
  accountantId: string;
  signature: string;
}

/** What an accountant sees who follows the link of a mail. */
export async function readRequest(portal: Portal, { accountantId, signature }: Link) {
  requireLink(portal, accountantId, signature);
  return describe(portal, portal.db, accountantId);
}

/**
 * The accountant's answer. Confirming is possible for seven days; declining and stopping always is, and drops what was not sent
 * yet. The first month that is mailed is the one of the confirmation.
 */
export async function answerRequest(portal: Portal, { accountantId, signature }: Link, wanted: boolean) {
  requireLink(portal, accountantId, signature);
  return transaction(portal.db, async (tx) => {
    const request = await store.lockRequest(tx, accountantId);
    if (!request) throw refuse('not_found');
    const now = portal.clock();
    const isOpen = request.ended_at === null;
    if (wanted && request.confirmed_at === null) {
      if (!isOpen || now >= request.asked_at.getTime() + confirmMs) throw refuse('link_expired');
      await store.confirm(tx, accountantId, new Date(now), monthOf(dayOf(now)));
    }
    if (!wanted && isOpen) {
      await store.end(tx, accountantId, 'ACCOUNTANT', new Date(now));
      const { customer_id: customerId, email } = request;
      await happened(portal, { customerId }, tx, { type: 'accountant.stopped', accountantId, email });
    }
    return describe(portal, tx, accountantId);
  });
}

async function describe(portal: Portal, db: Db | Tx, id: string) {
  const request = await store.selectRequest(db, id);
  if (!request) throw refuse('not_found');
  const owner = { customerId: request.customer_id };
  const [user, profile] = [await readUser(owner, db), await readProfile(owner, db)];
  const status: AccountantRequestStatus =
    request.ended_at !== null
      ? 'ENDED'
      : request.confirmed_at !== null
        ? 'ON'
        : portal.clock() < request.asked_at.getTime() + confirmMs
          ? 'ASKED'
          : 'EXPIRED';
  return { customerName: profile?.legalName ?? user.name, email: request.email, status };
}
