import type { CallParsed, CallResult } from '#shared/contract/call.ts';
import type { addPasskey, beginPasskey, beginProof, provePasskey } from '#shared/contract/operator/session.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { recordAction } from '#server/audit-log/audit-log.ts';
import type { SignedInOperator } from '#server/auth/operator-sessions.ts';
import {
  markProven,
  type PasskeyHolder,
  type PasskeyRow,
  proofOptions,
  provenPasskey,
  registeredPasskey,
  registrationOptions,
  shownPasskey,
} from '#server/auth/passkeys.ts';
import { proofMs } from '#server/auth/sessions.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Portal } from '#server/portal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { refuse } from '#server/refusals/refuse.ts';

const isNotAccepted = () => new OperatorRefusal('This passkey was not accepted. Nothing was changed: try again.');

/** A token is no person who could touch anything. */
function sessionOf({ session }: SignedInOperator): NonNullable<SignedInOperator['session']> {
  if (session === undefined) throw refuse('forbidden');
  return session;
}

const holderOf = (operator: SignedInOperator, passkeys: readonly PasskeyRow[]): PasskeyHolder => ({
  sessions: 'operator_sessions',
  hash: sessionOf(operator).hash,
  passkeys,
  notAccepted: isNotAccepted,
});

const passkeysOf = (db: Db | Tx, operatorId: string) =>
  db.selectFrom('operator_passkeys').selectAll().where('operator_id', '=', operatorId).orderBy('created_at').execute();

export const listPasskeys = async (db: Db, operatorId: string) => (await passkeysOf(db, operatorId)).map(shownPasskey);

/** The first passkey is that of whoever has just signed in with Google; another one needs a proof with one that is there. */
async function requireMayAdd(db: Db | Tx, { machineClock }: Portal, operator: SignedInOperator) {
  const { createdAt, provenUntil } = sessionOf(operator);
  const passkeys = await passkeysOf(db, operator.operatorId);
  if (passkeys.length > 0 && provenUntil === null) throw refuse('passkey_required');
  if (passkeys.length === 0 && machineClock() - createdAt.getTime() > proofMs)
    throw new OperatorRefusal('Sign in again: a first passkey is added within 15 minutes after that.');
  return passkeys;
}

export async function beginRegistration(
  portal: Portal,
  operator: SignedInOperator,
): Promise<CallResult<typeof beginPasskey>> {
  const passkeys = await requireMayAdd(portal.db, portal, operator);
  const { operatorId: id, email: name, name: displayName } = operator;
  return registrationOptions(portal, holderOf(operator, passkeys), { id, name, displayName });
}

/** Adds a passkey. It has just confirmed who sits there. */
export async function register(
  portal: Portal,
  operator: SignedInOperator,
  { name, credential }: CallParsed<typeof addPasskey>['body'],
): Promise<CallResult<typeof addPasskey>> {
  const holder = holderOf(operator, []);
  const made = await registeredPasskey(portal, holder, credential);
  const now = new Date(portal.machineClock());
  const id = newId('PSK');
  await transaction(portal.db, async (tx) => {
    // One at a time: only one is the first.
    await tx.selectFrom('operators').select('id').where('id', '=', operator.operatorId).forUpdate().execute();
    await requireMayAdd(tx, portal, operator);
    const added = await tx
      .insertInto('operator_passkeys')
      .values({ ...made, id, operator_id: operator.operatorId, name, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) throw isNotAccepted();
    await markProven(tx, holder, now);
    await recordAction(tx, { ...causeOf(operator, name), action: 'passkeys.add', target: id });
  });
  return shownPasskey({ id, name, created_at: now, last_used_at: null });
}

export async function beginToProve(portal: Portal, operator: SignedInOperator): Promise<CallResult<typeof beginProof>> {
  const passkeys = await passkeysOf(portal.db, operator.operatorId);
  if (passkeys.length === 0) throw new OperatorRefusal('You have no passkey yet. Add one first.');
  return proofOptions(portal, holderOf(operator, passkeys));
}

/** Opens what needs a passkey for 15 minutes, in this session. */
export async function prove(
  portal: Portal,
  operator: SignedInOperator,
  credential: CallParsed<typeof provePasskey>['body']['credential'],
): Promise<CallResult<typeof provePasskey>> {
  const holder = holderOf(operator, await passkeysOf(portal.db, operator.operatorId));
  const { passkeyId, counter } = await provenPasskey(portal, holder, credential);
  const now = new Date(portal.machineClock());
  await transaction(portal.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('operator_passkeys')
      .set({ counter, last_used_at: now })
      .where('id', '=', passkeyId)
      .executeTakeFirst();
    // Removed meanwhile.
    if (numUpdatedRows !== 1n) throw isNotAccepted();
    await markProven(tx, holder, now);
  });
  return { provenUntil: new Date(now.getTime() + proofMs).toISOString() };
}

/** Removes a passkey, and ends the other sessions: a lost one may have proven them. */
export async function forgetPasskey({ db }: Portal, operator: SignedInOperator, passkeyId: string): Promise<void> {
  const { hash, provenUntil } = sessionOf(operator);
  if (provenUntil === null) throw refuse('passkey_required');
  await transaction(db, async (tx) => {
    const removed = await tx
      .deleteFrom('operator_passkeys')
      .where('id', '=', passkeyId)
      .where('operator_id', '=', operator.operatorId)
      .returning('name')
      .executeTakeFirst();
    if (!removed) throw refuse('not_found');
    await tx
      .deleteFrom('operator_sessions')
      .where('operator_id', '=', operator.operatorId)
      .where('token_hash', '<>', hash)
      .execute();
    await recordAction(tx, { ...causeOf(operator, removed.name), action: 'passkeys.remove', target: passkeyId });
  });
}

const causeOf = ({ email }: SignedInOperator, name: string) => ({
  actor: email,
  reason: `Passkey ${name}`,
  customerId: null,
  effect: {},
});
