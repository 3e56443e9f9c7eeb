import { randomBytes } from 'node:crypto';
import type { Profile } from '#contract/account.ts';
import type { Db, Tx } from '#database/connect.ts';
import { parseGstin } from '#domain/gstin.ts';
import { currentPlaceOfSupply, otherCountriesCode } from '#domain/states.ts';
import { createSession } from '#server/platform/auth/sessions.ts';
import { sha256 } from '#server/platform/ids.ts';
import { refuse } from '#server/platform/refuse.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { consumeNonce, insertNonce, selectProfile, selectUser, upsertCustomer, upsertProfile } from './store.ts';

const nonceLifeMs = 10 * 60_000;

/** A nonce that one identity token may carry, once, in the next ten minutes. */
export async function issueNonce(portal: Portal): Promise<string> {
  const nonce = randomBytes(24).toString('base64url');
  await insertNonce(portal.db, sha256(nonce), new Date(portal.machineClock() + nonceLifeMs));
  return nonce;
}

/** Turns a Google ID token into a session. Only the verified token counts (product §3.1). */
export async function signInWithGoogle(
  portal: Portal,
  idToken: string,
): Promise<{ accessToken: string; requireOnboarding: boolean }> {
  const identity = await portal.verifyIdToken(idToken);
  if (!identity) throw refuse('sign_in_failed');
  const now = new Date(portal.machineClock());
  if (!(await consumeNonce(portal.db, sha256(identity.nonce), now))) throw refuse('sign_in_failed');
  const customerId = await upsertCustomer(portal.db, identity, now);
  const accessToken = await createSession(portal.db, customerId, portal.machineClock);
  return { accessToken, requireOnboarding: !(await selectProfile({ customerId }, portal.db)) };
}

/** Keeps the business profile, after checking what no form can: GSTIN check digit, and that State and GSTIN agree. */
export async function saveProfile(portal: Portal, caller: Caller, profile: Profile): Promise<Profile> {
  const errors = profileFaults(profile);
  if (errors.length > 0) throw refuse('invalid_request', errors);
  await upsertProfile(caller, portal.db, profile, new Date(portal.machineClock()));
  return profile;
}

function profileFaults(profile: Profile): { pointer: string; message: string }[] {
  const faults: { pointer: string; message: string }[] = [];
  const state = currentPlaceOfSupply(profile.stateCode);
  const isAbroad = (profile.country ?? 'IN') !== 'IN';
  if (!state || (state.code === otherCountriesCode) !== isAbroad)
    faults.push({ pointer: '/stateCode', message: isAbroad ? 'Choose Other Countries' : 'Choose a State of today' });
  if (isAbroad && profile.gstin !== null) faults.push({ pointer: '/gstin', message: 'A GSTIN belongs to a State' });
  if (profile.sez === true && profile.gstin === null) {
    faults.push({ pointer: '/gstin', message: 'A unit in a Special Economic Zone has a GSTIN' });
  }
  if (profile.gstin !== null) {
    const parsed = parseGstin(profile.gstin);
    if (!parsed.valid)
      faults.push({ pointer: '/gstin', message: 'This is not a valid GSTIN; check it letter by letter' });
    else if (parsed.stateCode !== profile.stateCode) {
      faults.push({ pointer: '/stateCode', message: 'The State differs from the one in the GSTIN' });
    }
  }
  return faults;
}

/** The business profile, or undefined while the customer has not given it. */
export function readProfile(caller: Caller, db: Db | Tx): Promise<Profile | undefined> {
  return selectProfile(caller, db);
}

/** The person as Google names them. */
export function readUser(caller: Caller, db: Db | Tx) {
  return selectUser(caller, db);
}
