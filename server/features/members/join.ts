import type { Waiting } from '#shared/contract/invitations.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { googleAddress, isVouchedFor } from '#shared/domain/google-address.ts';
import { maxMembers, maxOpenInvitations } from '#shared/domain/members-of-customer.ts';
import { isBlocked } from '#server/auth/blocked.ts';
import { recordMember } from '#server/auth/member-guard.ts';
import { createSession, type SignedInMember } from '#server/auth/sessions.ts';
import { newId } from '#server/crypto/ids.ts';
import { happened } from '#server/features/events/events.ts';
import { lockCustomer } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import { requireSignature, signatureOf } from './link.ts';
import { stateOf } from './invitations.ts';
import { type Entered, hasFounded, join, open, type Person } from './sign-in.ts';
import * as store from './store.ts';
import { asksPasskey, forgetPasskeysOf } from './two-step.ts';

/** Invitations for a person, and customers that may be asked. */
export async function readWaiting(portal: Portal, db: Db | Tx, person: Person): Promise<Waiting> {
  const { email, domain = null, sub } = person;
  const address = googleAddress(email);
  const isVouched = isVouchedFor(email, domain);
  const invitations = await store.selectAcceptable(db, address, new Date(portal.clock()));
  return {
    invitations: invitations.flatMap(({ id, role, endsAt, customerName }) =>
      endsAt === null
        ? []
        : [
            {
              id,
              customerName,
              role,
              endsAt: endsAt.toISOString(),
              signature: isVouched ? signatureOf(portal, id) : null,
            },
          ],
    ),
    joinable: await store.selectJoinable(db, domain, { sub, address }, new Date(portal.clock())),
  };
}

/** The person of a session; refuses when removed meanwhile. */
export async function readPerson(db: Db | Tx, { memberId }: SignedInMember): Promise<Person> {
  const row = await store.selectPerson(db, memberId);
  if (!row) throw refuse('unauthorized');
  return {
    sub: row.google_sub,
    email: row.email,
    name: row.name,
    givenName: row.given_name,
    familyName: row.family_name,
    picture: row.picture,
    domain: row.domain ?? undefined,
  };
}

/**
 * Accepts an invitation: a new member, or a new owner, whose predecessor gets the role that was chosen. Throws not_found without the signature,
 * link_expired when it has ended or can't be accepted now, and invitation_for_other for another Google account.
 */
export async function accept(
  portal: Portal,
  tx: Tx,
  person: Person,
  { invitationId, signature }: { invitationId: string; signature: string },
  by?: SignedInMember,
): Promise<Entered> {
  requireSignature(portal, invitationId, signature);
  const found = await store.selectInvitation(tx, invitationId);
  if (!found) throw refuse('not_found');
  const owner = { customerId: found.customer_id };
  // As everybody locks: the customer, then the invitation.
  await lockCustomer(owner, tx);
  const row = await store.lockInvitation(tx, invitationId);
  if (!row || row.ended_at !== null || stateOf(row, portal.clock()) !== 'WAITING') throw refuse('link_expired');
  if (googleAddress(person.email) !== row.address) throw refuse('invitation_for_other');
  const now = new Date(portal.machineClock());
  const members = await store.selectMembers(tx, owner);
  const present = members.find(({ google_sub: sub }) => sub === person.sub);
  if (row.role === 'owner') return becomeOwner(portal, tx, person, row, members, by);
  if (present) throw refuse('member_already');
  if (members.length >= maxMembers) throw refuse('too_many_members');
  const memberId = await join(tx, person, { ...owner, role: row.role }, now);
  await store.endInvitation(tx, row.id, new Date(portal.clock()), 'ACCEPTED', memberId);
  await recordMember(tx, portal.clock, { memberId, ...owner }, 'acceptInvitation', row.id);
  await happened(portal, owner, tx, { type: 'member.joined', memberId, email: person.email, role: row.role });
  return { memberId, ...owner };
}

async function becomeOwner(
  portal: Portal,
  tx: Tx,
  person: Person,
  row: NonNullable<Awaited<ReturnType<typeof store.lockInvitation>>>,
  members: Awaited<ReturnType<typeof store.selectMembers>>,
  by: SignedInMember | undefined,
): Promise<Entered> {
  const owner = { customerId: row.customer_id };
  const former = members.find(({ role }) => role === 'owner');
  if (!former || row.former_role === null) throw new Error(`customer ${row.customer_id} has no owner`);
  const present = members.find(({ google_sub: sub }) => sub === person.sub);
  if (present?.role === 'owner') return beginAnew(portal, tx, row, present);
  // A block stays with whom it is for; the provider may pass the ownership on.
  if (row.invited_by !== null && (await isBlocked(tx, owner.customerId))) throw refuse('link_expired');
  // An offer of the owner is for a member; whom the provider names may come from outside.
  if (!present && row.invited_by !== null) throw refuse('link_expired');
  // As the offer needed one. Of whom the provider names, seven days and the objection stand for it.
  if (row.invited_by !== null && (await asksPasskey(tx, owner)) && !isProvenAs(by, present?.id))
    throw refuse('passkey_needed');
  const now = new Date(portal.machineClock());
  // The index allows no second owner, not for a moment.
  await store.setRole(tx, former.id, row.former_role);
  const memberId = present?.id ?? (await join(tx, person, { ...owner, role: 'owner' }, now));
  if (present) await store.setRole(tx, present.id, 'owner');
  if (former.domain !== (person.domain ?? null)) await store.setJoinDomain(tx, owner, null);
  await store.endInvitation(tx, row.id, new Date(portal.clock()), 'ACCEPTED', memberId);
  await recordMember(tx, portal.clock, { memberId, ...owner }, 'acceptInvitation', row.id);
  const passed = { type: 'ownership.passed', invitationId: row.id, name: person.name, by: person.email } as const;
  for (const email of new Set([former.email, person.email])) await happened(portal, owner, tx, { ...passed, email });
  return { memberId, ...owner };
}

/** A passkey confirms for one customer: in a session of that one, not of another that the person has. */
const isProvenAs = (by: SignedInMember | undefined, memberId: string | undefined): boolean =>
  by !== undefined && by.memberId === memberId && (by.session?.provenUntil ?? null) !== null;

/** The owner had lost the passkeys, the provider said so to all, and nobody objected for seven days: they go, and the owner adds a new one. */
async function beginAnew(
  portal: Portal,
  tx: Tx,
  row: NonNullable<Awaited<ReturnType<typeof store.lockInvitation>>>,
  { id: memberId, email: to, name }: Awaited<ReturnType<typeof store.selectMembers>>[number],
): Promise<Entered> {
  if (row.invited_by !== null) throw refuse('member_already');
  const owner = { customerId: row.customer_id };
  await forgetPasskeysOf(tx, memberId);
  await store.endInvitation(tx, row.id, new Date(portal.clock()), 'ACCEPTED', memberId);
  await recordMember(tx, portal.clock, { memberId, ...owner }, 'acceptInvitation', row.id);
  await happened(portal, owner, tx, { type: 'passkeys.changed', changeId: row.id, what: 'anew', to, name });
  return { memberId, ...owner };
}

/** Accepts in a session of the person, and makes one for the customer. */
export function acceptInvitation(
  portal: Portal,
  member: SignedInMember,
  invitation: { invitationId: string; signature: string },
  from: string,
) {
  return transaction(portal.db, async (tx) => {
    const entered = await accept(portal, tx, await readPerson(tx, member), invitation, member);
    return enter(portal, tx, entered, from);
  });
}

/** A session for a membership of the person, by a sign-in or `from` a session; the next sign-in leads there too. */
export async function enter(portal: Portal, tx: Tx, { memberId, customerId }: Entered, from?: string) {
  await open(tx, memberId, new Date(portal.machineClock()));
  const accessToken = await createSession(tx, memberId, portal.machineClock, from);
  return { accessToken, customerId, requireOnboarding: await needsProfile(tx, memberId) };
}

/** Has to enter the business profile: there is none, and the role may. */
async function needsProfile(db: Db | Tx, memberId: string): Promise<boolean> {
  const found = await db
    .selectFrom('members')
    .leftJoin('profiles', 'profiles.customer_id', 'members.customer_id')
    .select(['role', 'profiles.customer_id as profile'])
    .where('members.id', '=', memberId)
    .executeTakeFirstOrThrow();
  return found.profile === null && ['owner', 'accountant'].includes(found.role);
}

export async function listMyCustomers(portal: Portal, member: SignedInMember) {
  const person = await readPerson(portal.db, member);
  const customers = await store.selectCustomersOf(portal.db, person.sub);
  return {
    ...(await readWaiting(portal, portal.db, person)),
    mayOpenOwn: portal.isView !== true && !(await hasFounded(portal.db, person)),
    customers: customers.map(({ customerId, customerName, role }) => ({
      customerId,
      customerName,
      role,
      isCurrent: customerId === member.customerId,
    })),
  };
}

export function switchCustomer(portal: Portal, member: SignedInMember, customerId: string, from: string) {
  return transaction(portal.db, async (tx) => {
    const { sub } = await readPerson(tx, member);
    const customers = await store.selectCustomersOf(tx, sub);
    const chosen = customers.find((each) => each.customerId === customerId);
    if (!chosen) throw refuse('not_found');
    return enter(portal, tx, chosen, from);
  });
}

/** Asks the owner of a customer of the person's Workspace. Asking again changes nothing. */
export async function ask(portal: Portal, tx: Tx, person: Person, customerId: string): Promise<void> {
  const address = googleAddress(person.email);
  const now = new Date(portal.clock());
  const joinable = await store.selectJoinable(tx, person.domain ?? null, { sub: person.sub, address }, now);
  const wanted = joinable.find((each) => each.customerId === customerId);
  if (!wanted) throw refuse('not_found');
  const owner = { customerId };
  await lockCustomer(owner, tx);
  const open = await store.selectOpen(tx, owner);
  const own = open.find((row) => row.address === address && row.role !== 'owner');
  if (own && stateOf(own, now.getTime()) !== 'EXPIRED') return;
  if (own) await store.endInvitation(tx, own.id, now, 'REVOKED');
  if (open.filter(({ invited_at: at }) => at === null).length >= maxOpenInvitations) throw refuse('too_many_requests');
  const id = newId('INV');
  await tx
    .insertInto('member_invitations')
    .values({
      id,
      customer_id: customerId,
      email: person.email,
      address,
      role: 'viewer',
      name: person.name,
      asked_at: now,
    })
    .execute();
  await happened(portal, owner, tx, {
    type: 'member.asked',
    invitationId: id,
    name: person.name,
    email: person.email,
  });
}

export async function askToJoin(portal: Portal, member: SignedInMember, customerId: string): Promise<void> {
  await transaction(portal.db, async (tx) => ask(portal, tx, await readPerson(tx, member), customerId));
}

/** Whether a first sign-in has something to choose. */
export const hasChoice = ({ invitations, joinable }: Waiting): boolean => invitations.length > 0 || joinable.length > 0;
