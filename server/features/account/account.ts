import { notAnSez, printedFields, type Profile, type ProviderAction, type signIn } from '#shared/contract/account.ts';
import type { CallResult } from '#shared/contract/call.ts';
import { done } from '#shared/contract/values.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { parseGstin } from '#shared/domain/gstin.ts';
import { otherStatesOfPin } from '#shared/domain/pin-states.ts';
import { unprintableFault } from '#shared/domain/printable.ts';
import type { MailKind } from '#shared/domain/mail-kind.ts';
import { confirmsSez, claimOf } from '#shared/domain/tax-claim.ts';
import { currentPlaceOfSupply, otherCountriesCode, type State } from '#shared/domain/states.ts';
import { notToChoose } from '#shared/policies/members/mails.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import { useIdToken } from '#server/auth/id-tokens.ts';
import { signInPerson } from '#server/features/members/members.ts';
import { checkSez } from '#server/features/sez-checks/sez-checks.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import {
  selectBlock,
  selectMailChoice,
  selectMember,
  selectProfile,
  selectUser,
  updateMailChoice,
  upsertProfile,
} from './store.ts';

/** Exchanges a Google ID token for a session. Only the verified token counts (product §3.1). */
export async function signInWithGoogle(portal: Portal, idToken: string): Promise<CallResult<typeof signIn>> {
  return signInPerson(portal, await useIdToken(portal, idToken));
}

/**
 * Stores the business profile, after the checks that the schema can't make: GSTIN check digit, PIN, State and GSTIN against each other, and
 * an SEZ against the GST portal.
 */
export async function saveProfile(portal: Portal, owner: Owner, profile: Profile): Promise<Profile> {
  const errors = profileFaults(profile, portal.settings.supplierGstin);
  if (errors.length > 0) throw refuse('invalid_request', errors);
  const claim = claimOf(profile);
  const outcome = claim?.kind === 'SEZ' ? await checkSez(portal, owner, claim.about) : undefined;
  if (outcome !== undefined && !confirmsSez(outcome))
    throw refuse('invalid_request', [{ pointer: '/sez', message: notAnSez }]);
  await upsertProfile(owner, portal.db, profile, new Date(portal.machineClock()));
  return profile;
}

/** What speaks against these details, each as a sentence with its field; the GST portal is not asked. */
export function profileFaults(profile: Profile, supplierGstin: string): { pointer: string; message: string }[] {
  const faults = printedFields.flatMap((field) => {
    const message = unprintableFault(profile[field]);
    return message === undefined ? [] : [{ pointer: `/${field}`, message }];
  });
  const state = currentPlaceOfSupply(profile.stateCode);
  const isAbroad = (profile.country ?? 'IN') !== 'IN';
  if (!state || (state.code === otherCountriesCode) !== isAbroad)
    faults.push({ pointer: '/stateCode', message: isAbroad ? 'Choose Other Countries' : 'Choose a current State' });
  if (isAbroad && profile.gstin !== null)
    faults.push({ pointer: '/gstin', message: 'A buyer outside India can’t have a GSTIN' });
  if (profile.sez === true && profile.gstin === null) {
    faults.push({ pointer: '/gstin', message: 'Enter the GSTIN of the unit in the Special Economic Zone' });
  }
  if (profile.gstin !== null) {
    const parsed = parseGstin(profile.gstin);
    if (!parsed.valid) faults.push({ pointer: '/gstin', message: 'This GSTIN is not valid. Check each character' });
    else if (parsed.gstin === supplierGstin)
      faults.push({ pointer: '/gstin', message: 'This is the GSTIN of the seller. Nobody invoices themselves' });
    else if (parsed.stateCode !== profile.stateCode) {
      faults.push({ pointer: '/stateCode', message: 'The State doesn’t match the GSTIN' });
    }
  }
  const message = faults.length === 0 ? pinFault(profile, state) : undefined;
  if (message !== undefined) faults.push({ pointer: '/pin', message });
  return faults;
}

/** A PIN of another State. Profiles that were saved before this rule keep their PIN until they are saved again. */
function pinFault({ pin, stateCode, gstin }: Profile, state: State | undefined): string | undefined {
  const others = otherStatesOfPin(pin, stateCode);
  if (!others) return undefined;
  const lies = `PIN ${pin} lies in ${others.map(({ name }) => name).join(' or ')}`;
  return gstin === null
    ? `${lies}, not in ${state?.name}. Correct the PIN code or the State`
    : `${lies}, but the GSTIN is registered in ${state?.name}. Correct the PIN code or the GSTIN`;
}

/** The business profile; undefined while the customer has not entered it. */
export function readProfile(owner: Owner, db: Db | Tx): Promise<Profile | undefined> {
  return selectProfile(owner, db);
}

/** Stores details that an operator corrected, in the transaction that records by whom. */
export function storeCorrected(owner: Owner, tx: Tx, profile: Profile, now: Date): Promise<void> {
  return upsertProfile(owner, tx, profile, now);
}

/** The customer as the member who is signed in sees it. */
export function readMember(member: SignedInMember, db: Db | Tx) {
  return selectMember(member, db);
}

/** What Google says of the owner. */
export function readUser(owner: Owner, db: Db | Tx) {
  return selectUser(owner, db);
}

/** Which mails the member has chosen. */
export function readMailChoice(member: SignedInMember, db: Db | Tx) {
  return selectMailChoice(member, db);
}

/** Since when and why the customer is blocked; null when not. */
export async function readBlock(owner: Owner, db: Db | Tx) {
  const { blocked_at: at, blocked_reason: reason } = await selectBlock(owner, db);
  return at === null || reason === null ? null : { since: at.toISOString(), reason };
}

/** Since when nothing names the customer any more; null when the customer is not erased. */
export async function readErased(owner: Owner, db: Db | Tx): Promise<Date | null> {
  return (await selectBlock(owner, db)).erased_at;
}

/** The member's own choice, of what its role may have (shared/policies/members/mails.ts). */
export async function chooseMails(
  portal: Portal,
  member: SignedInMember,
  choice: { mailsOff: readonly MailKind[]; mailsOn: readonly MailKind[] },
) {
  const [kind] = notToChoose(member.role, choice);
  if (kind !== undefined) {
    const pointer = choice.mailsOff.some((each) => each === kind) ? '/mailsOff' : '/mailsOn';
    throw refuse('invalid_request', [{ pointer, message: `${kind} is not for your role to choose` }]);
  }
  await updateMailChoice(member, portal.db, choice);
  return done;
}

/** The newest actions are the ones that matter; all are in the audit log. */
const maxProviderActions = 50;

/** What operators did in this account, newest first. */
export async function listProviderActions({ db }: Portal, { customerId }: Owner): Promise<ProviderAction[]> {
  const actions = await listActions(db, { limit: maxProviderActions, customerId });
  return actions.map(({ position, at, action, target, reason, actor }) => ({
    position,
    at,
    action,
    target,
    reason,
    by: action === 'customers.see' ? actor : null,
  }));
}
