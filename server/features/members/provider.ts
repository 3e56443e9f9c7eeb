import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { googleAddress } from '#shared/domain/google-address.ts';
import { invitationMs } from '#shared/domain/members-of-customer.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { newId } from '#server/crypto/ids.ts';
import { installationSecret } from '#server/crypto/installation-secret.ts';
import { happened } from '#server/features/events/events.ts';
import { lockCustomer } from '#server/features/ownership/ownership.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { invitationPath } from './link.ts';
import * as store from './store.ts';

type Transfer = OperatorReply<'transferOwnership'>;

/** Who would be told, and from when on the address can accept. Throws OperatorRefusal when it is the owner's, or the customer is erased. */
async function readTransfer(db: Db | Tx, now: number, id: string, email: string): Promise<Transfer> {
  const customerId = id.trim();
  const customer = await db
    .selectFrom('customers')
    .select(['name', 'email', 'erased_at'])
    .where('id', '=', customerId)
    .executeTakeFirst();
  if (!customer) throw noSuchCustomer(id);
  if (customer.erased_at !== null) throw new OperatorRefusal(`${customerId} is erased: nobody can own it.`);
  const isOwners = googleAddress(customer.email) === googleAddress(email);
  if (isOwners && !(await hasPasskey(db, customerId)))
    throw new OperatorRefusal(`${customer.email} is the owner of ${customerId} already.`, 'nothing_to_change');
  const members = await store.selectMembers(db, { customerId });
  return {
    customerId,
    name: customer.name,
    email: customer.email,
    to: email,
    startsAt: new Date(now + invitationMs).toISOString(),
    endsAt: new Date(now + 2 * invitationMs).toISOString(),
    told: [...new Set([...members.map((member) => member.email), email])],
    removesPasskeys: isOwners,
  };
}

/** An owner who has lost the passkeys gets the ownership anew, without them. */
async function hasPasskey(db: Db | Tx, customerId: string): Promise<boolean> {
  const found = await db
    .selectFrom('member_passkeys')
    .innerJoin('members', 'members.id', 'member_passkeys.member_id')
    .select('member_passkeys.id')
    .where('members.customer_id', '=', customerId)
    .where('role', '=', 'owner')
    .executeTakeFirst();
  return found !== undefined;
}

export const previewTransfer = ({ db, clock }: OperatorContext, id: string, email: string): Promise<Transfer> =>
  readTransfer(db, clock(), id, email);

/**
 * Offers the ownership to an address in the place of an owner whom nobody reaches, or anew to the owner, who has lost the passkeys. All addresses are told, and the owner can object for seven days; an offer
 * that waits is revoked.
 */
export function transferOwnership(
  context: OperatorContext,
  id: string,
  email: string,
  cause: OperatorCause,
): Promise<Transfer> {
  return transaction(context.db, async (tx) => {
    const owner = { customerId: id.trim() };
    await lockCustomer(owner, tx);
    const now = context.clock();
    const transfer = await readTransfer(tx, now, id, email);
    const { customerId, to, startsAt, endsAt, told, removesPasskeys } = transfer;
    for (const open of await store.selectOpen(tx, owner))
      if (open.role === 'owner') await store.endInvitation(tx, open.id, new Date(now), 'REVOKED');
    const invitationId = newId('INV');
    await tx
      .insertInto('member_invitations')
      .values({
        id: invitationId,
        customer_id: customerId,
        email: to,
        address: googleAddress(to),
        role: 'owner',
        former_role: 'accountant',
        invited_at: new Date(now),
        starts_at: new Date(startsAt),
        ends_at: new Date(endsAt),
      })
      .execute();
    const effect = { invitationId, startsAt };
    await recordAction(tx, { ...cause, action: 'customers.transfer', target: customerId, customerId, effect });
    const path = invitationPath({ linkSecret: await installationSecret(tx, 'download-links') }, invitationId);
    const said = { type: 'ownership.announced', invitationId, to, reason: cause.reason.trim() } as const;
    for (const address of told) {
      const isParty = address === transfer.email || address === to;
      const more = {
        email: address,
        startsAt: new Date(startsAt),
        path: isParty ? path : null,
        isOwners: removesPasskeys,
      };
      await happened(context, owner, tx, { ...said, ...more });
    }
    return transfer;
  });
}
