import type { Profile } from '#shared/contract/account.ts';
import type { TaxClaimState } from '#shared/contract/tax-claims.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import {
  claimOf,
  confirmsSez,
  isProven,
  letterTypeOf,
  maxLetterBytes,
  type TaxClaim,
} from '#shared/domain/tax-claim.ts';
import { readProfile } from '#server/features/account/account.ts';
import { happened } from '#server/features/events/events.ts';
import { lockCustomer } from '#server/features/ownership/ownership.ts';
import { checkSez, selectLastCheck } from '#server/features/sez-checks/sez-checks.ts';
import { newId, sha256 } from '#server/crypto/ids.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { hasTooManyLetters, insertClaim, selectDeclared, selectLetter, withdraw } from './store.ts';

/** A business profile, and whether what it claims about tax is proven: by the GST portal, or by a declaration. */
export type ProvenProfile = Profile & { proven: boolean };

/** The business profile with the proof of its claim, as the tax of a sale depends on them. */
export async function readProvenProfile(owner: Owner, db: Db | Tx): Promise<ProvenProfile | undefined> {
  const profile = await readProfile(owner, db);
  if (!profile) return undefined;
  const claim = claimOf(profile);
  if (claim === undefined) return { ...profile, proven: false };
  const [declared, check] = [await selectDeclared(owner, db, claim), await lastCheckOf(owner, db, claim)];
  return { ...profile, proven: isProven({ declared: declared !== undefined, outcome: check?.outcome }) };
}

/** What the owner claims and has declared. */
export async function readTaxClaim(portal: Portal, owner: Owner): Promise<TaxClaimState> {
  const needed = await claimOfOwner(owner, portal.db);
  const found = needed && (await selectDeclared(owner, portal.db, needed));
  const declared = found && {
    declaredOn: found.declared_on,
    name: found.letter_name,
    type: found.letter_type,
    bytes: found.letter_bytes,
  };
  const check = needed && (await lastCheckOf(owner, portal.db, needed));
  return {
    needed: needed ?? null,
    declared: declared ?? null,
    checked: check ? { on: dayOf(check.checked_at.getTime()), outcome: check.outcome, type: check.type_text } : null,
  };
}

/**
 * Refuses a payment while the GST portal contradicts the owner's claim to be an SEZ (product §6.28). When it can't be asked, the payment goes
 * on with what is known.
 */
export async function requireConfirmedSez(
  portal: Pick<Portal, 'db' | 'clock' | 'taxpayers' | 'log'>,
  owner: Owner,
): Promise<void> {
  const claim = await claimOfOwner(owner, portal.db);
  if (claim?.kind !== 'SEZ') return;
  const outcome = (await checkSez(portal, owner, claim.about)) ?? (await lastCheckOf(owner, portal.db, claim))?.outcome;
  if (outcome !== undefined && !confirmsSez(outcome)) throw refuse('sez_not_confirmed');
}

/**
 * Stores a declaration, dated today, with its letter; it replaces an earlier one for the same claim, which is kept. Refused as too_many_letters
 * once the customer has stored as many as the database allows (trigger `letters_are_few`).
 */
export async function declareTaxClaim(
  portal: Portal,
  owner: Owner,
  { name, letter: text }: { name: string; letter: string },
): Promise<TaxClaimState> {
  const letter = Buffer.from(text, 'base64');
  const type = letterTypeOf(letter);
  if (type === undefined || letter.length > maxLetterBytes) throw refuse('letter_unreadable');
  await requireConfirmedSez(portal, owner);
  await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    // After the lock, which may have been waited for: nothing is withdrawn before it was declared.
    const now = portal.clock();
    const claim = await claimOfOwner(owner, tx);
    if (!claim) throw refuse('nothing_claimed');
    // Before the withdrawal, which would copy the letter that it rolls back.
    if (await hasTooManyLetters(owner, tx, new Date(now))) throw refuse('too_many_letters');
    await withdraw(owner, tx, claim, new Date(now));
    const about = { id: newId('CLM'), on: dayOf(now), now: new Date(now), sha256: sha256(letter) };
    await insertClaim(owner, tx, { ...claim, ...about, name, type, letter });
    await happened(portal, owner, tx, { type: 'tax_claim.declared', claimId: about.id, kind: claim.kind });
  });
  return readTaxClaim(portal, owner);
}

/** Withdraws the owner's declaration. From now on tax is charged; the letter is kept for the documents that relied on it. */
export async function withdrawTaxClaim(portal: Portal, owner: Owner): Promise<void> {
  await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    // After the lock, as for a declaration.
    const now = new Date(portal.clock());
    const claim = await claimOfOwner(owner, tx);
    if (!claim || !(await withdraw(owner, tx, claim, now))) throw refuse('nothing_claimed');
  });
}

/** The letter of the owner's declaration. */
export async function readTaxLetter(portal: Portal, owner: Owner) {
  const claim = await claimOfOwner(owner, portal.db);
  const found = claim && (await selectDeclared(owner, portal.db, claim));
  if (!found) return { file: null };
  const letter = await selectLetter(owner, portal.db, found.id);
  return { file: { name: found.letter_name, type: found.letter_type, letter: letter.toString('base64') } };
}

function lastCheckOf(owner: Owner, db: Db | Tx, { kind, about }: TaxClaim) {
  return kind === 'SEZ' ? selectLastCheck(owner, db, about) : undefined;
}

async function claimOfOwner(owner: Owner, db: Db | Tx): Promise<TaxClaim | undefined> {
  const profile = await readProfile(owner, db);
  return profile && claimOf(profile);
}
