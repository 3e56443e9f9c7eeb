import { DatabaseError } from 'pg';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { OperatorRole } from '#shared/contract/operator/roles.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { countRows } from '#shared/database/expressions.ts';
import { transaction } from '#shared/database/transaction.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { newId } from '#server/crypto/ids.ts';
import type { OperatorSource } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

type OperatorChange = OperatorReply<'addOperator'>;
type DomainChange = OperatorReply<'addOperatorDomain'>;

/** What is to become of somebody; no role: removed. */
interface Wanted {
  email: string;
  role: OperatorRole | null;
}

export async function listTeam(db: Db): Promise<OperatorReply<'listOperators'>> {
  const operators = await db
    .selectFrom('operators')
    .select(['id', 'email', 'name', 'role', 'added_at', 'signed_in_at'])
    .select((of) => [
      of
        .selectFrom('operator_passkeys')
        .select(countRows().as('n'))
        .whereRef('operator_id', '=', 'operators.id')
        .$asScalar()
        .$notNull()
        .as('passkeys'),
      of
        .selectFrom('operator_sessions')
        .select(countRows().as('n'))
        .whereRef('operator_id', '=', 'operators.id')
        .$asScalar()
        .$notNull()
        .as('sessions'),
    ])
    .where('removed_at', 'is', null)
    .orderBy('email')
    .execute();
  const domains = await db.selectFrom('operator_domains').selectAll().orderBy('domain').execute();
  return {
    operators: operators.map(({ added_at, signed_in_at, ...operator }) => ({
      ...operator,
      addedAt: added_at.toISOString(),
      signedInAt: signed_in_at?.toISOString() ?? null,
    })),
    domains: domains.map(({ added_at, ...domain }) => ({ ...domain, addedAt: added_at.toISOString() })),
  };
}

async function countOf(tx: Db | Tx, operatorId: string) {
  const { sessions } = await tx
    .selectFrom('operator_sessions')
    .select(countRows().as('sessions'))
    .where('operator_id', '=', operatorId)
    .executeTakeFirstOrThrow();
  const { tokens } = await tx
    .selectFrom('operator_tokens')
    .select(countRows().as('tokens'))
    .where('operator_id', '=', operatorId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { sessions, tokens };
}

const isLastOwner = () =>
  new OperatorRefusal('This is the last owner, without whom nobody could add another one. Nothing was changed.');

/** What a change would do. Throws when it can't be done. */
export async function previewChange(db: Db | Tx, { email, role }: Wanted, isNew: boolean): Promise<OperatorChange> {
  const found = await db
    .selectFrom('operators')
    .select(['id', 'name', 'role', 'removed_at'])
    .where('email', '=', email)
    .executeTakeFirst();
  const standing = found?.removed_at === null ? found : undefined;
  if (!isNew && standing === undefined) throw new OperatorRefusal(`${email} is not an operator.`, 'not_found');
  if (isNew && standing !== undefined)
    throw new OperatorRefusal(`${email} is an operator already, with the role ${standing.role}.`, 'nothing_to_change');
  if (standing !== undefined && standing.role === role)
    throw new OperatorRefusal(`${email} has the role ${role} already.`, 'nothing_to_change');
  if (standing?.role === 'owner' && !(await hasOtherOwner(db, standing.id))) throw isLastOwner();
  const ends = standing !== undefined && role === null ? await countOf(db, standing.id) : { sessions: 0, tokens: 0 };
  return { id: found?.id ?? null, email, name: found?.name ?? '', before: standing?.role ?? null, role, ...ends };
}

async function hasOtherOwner(db: Db | Tx, operatorId: string): Promise<boolean> {
  const other = await db
    .selectFrom('operators')
    .select('id')
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .where('id', '<>', operatorId)
    .executeTakeFirst();
  return other !== undefined;
}

/** Adds a person, also one who was removed: the address then belongs to whoever signs in with it first. */
export function addOperator(
  { db, clock }: OperatorSource,
  { email, role }: { email: string; role: OperatorRole },
  cause: OperatorCause,
): Promise<OperatorChange> {
  return transaction(db, async (tx) => {
    const preview = await previewChange(tx, { email, role }, true);
    const { id } = await tx
      .insertInto('operators')
      .values({ id: newId('OPR'), email, name: '', role, added_at: new Date(clock()) })
      .onConflict((conflict) =>
        conflict.column('email').doUpdateSet({ role, removed_at: null, google_sub: null, name: '' }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    const effect = { email, role };
    await recordAction(tx, { ...cause, action: 'operators.add', target: id, customerId: null, effect });
    return { ...preview, id };
  });
}

/** Gives an operator another role, or none: then nothing is open to the person any more when this returns. */
export function changeOperator(
  { db, clock }: OperatorSource,
  wanted: Wanted,
  cause: OperatorCause,
): Promise<OperatorChange> {
  const { email, role } = wanted;
  return ownerStays(() =>
    transaction(db, async (tx) => {
      // Waits for what the person is doing.
      await tx.selectFrom('operators').select('id').where('email', '=', email).forUpdate().execute();
      const preview = await previewChange(tx, wanted, false);
      const id = preview.id ?? '';
      const effect = { email, before: preview.before, role };
      const action = role === null ? 'operators.remove' : 'operators.role';
      // Before the change, which may take the right to make it.
      await recordAction(tx, { ...cause, action, target: id, customerId: null, effect });
      const change = role === null ? { removed_at: new Date(clock()) } : { role };
      await tx.updateTable('operators').set(change).where('id', '=', id).execute();
      if (role === null) await endEverything(tx, id, new Date(clock()));
      return preview;
    }),
  );
}

async function endEverything(tx: Tx, operatorId: string, at: Date): Promise<void> {
  await tx.deleteFrom('operator_sessions').where('operator_id', '=', operatorId).execute();
  await tx.deleteFrom('operator_passkeys').where('operator_id', '=', operatorId).execute();
  await tx
    .updateTable('operator_tokens')
    .set({ revoked_at: at })
    .where('operator_id', '=', operatorId)
    .where('revoked_at', 'is', null)
    .execute();
}

const addressOf = (email: string): string => email.trim().toLowerCase();

/** Whose passkeys a command would remove, and what ends with them. */
export async function previewPasskeys(db: Db | Tx, email: string) {
  const operator = await db
    .selectFrom('operators')
    .select('id')
    .where('email', '=', addressOf(email))
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (!operator) throw new OperatorRefusal(`${email} is not an operator.`, 'not_found');
  const { id } = operator;
  const passkeys = await db
    .selectFrom('operator_passkeys')
    .select(['id', 'name'])
    .where('operator_id', '=', id)
    .execute();
  if (passkeys.length === 0) throw new OperatorRefusal(`${email} has no passkey.`, 'nothing_to_change');
  const { sessions } = await countOf(db, id);
  return { operatorId: id, passkeys, sessions };
}

/**
 * Removes every passkey of an operator, and ends the sessions: for whoever lost the only one, by the command alone. The next one is added within
 * 15 minutes after a sign-in.
 */
export function removePasskeys({ db }: Pick<OperatorSource, 'db'>, email: string, cause: OperatorCause) {
  return transaction(db, async (tx) => {
    // Waits for a passkey that is being added.
    await tx.selectFrom('operators').select('id').where('email', '=', addressOf(email)).forUpdate().execute();
    const preview = await previewPasskeys(tx, email);
    const { operatorId } = preview;
    await tx.deleteFrom('operator_passkeys').where('operator_id', '=', operatorId).execute();
    await tx.deleteFrom('operator_sessions').where('operator_id', '=', operatorId).execute();
    for (const { id: target } of preview.passkeys)
      await recordAction(tx, { ...cause, action: 'passkeys.remove', target, customerId: null, effect: { email } });
    return preview;
  });
}

/** The database is asked last: two owners may remove each other. */
async function ownerStays<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DatabaseError && error.constraint === 'operators_last_owner' ? isLastOwner() : error;
  }
}

/** What a change of a domain would do; no role: nobody new may sign in by it. */
export async function previewDomain(db: Db | Tx, domain: string, role: DomainChange['role']): Promise<DomainChange> {
  const found = await db.selectFrom('operator_domains').select('role').where('domain', '=', domain).executeTakeFirst();
  if (role === null && !found) throw new OperatorRefusal(`${domain} is not a domain of operators.`, 'not_found');
  if (found?.role === role) throw new OperatorRefusal(`${domain} gives the role ${role} already.`, 'nothing_to_change');
  return { domain, before: found?.role ?? null, role };
}

export function addDomain(
  { db, clock }: OperatorSource,
  { domain, role }: { domain: string; role: Exclude<OperatorRole, 'owner'> },
  cause: OperatorCause,
): Promise<DomainChange> {
  return transaction(db, async (tx) => {
    const preview = await previewDomain(tx, domain, role);
    await tx
      .insertInto('operator_domains')
      .values({ domain, role, added_at: new Date(clock()) })
      .onConflict((conflict) => conflict.column('domain').doUpdateSet({ role }))
      .execute();
    const effect = { role, before: preview.before };
    await recordAction(tx, { ...cause, action: 'operator-domains.add', target: domain, customerId: null, effect });
    return preview;
  });
}

export function removeDomain({ db }: OperatorSource, domain: string, cause: OperatorCause): Promise<DomainChange> {
  return transaction(db, async (tx) => {
    const preview = await previewDomain(tx, domain, null);
    await tx.deleteFrom('operator_domains').where('domain', '=', domain).execute();
    const effect = { before: preview.before };
    await recordAction(tx, { ...cause, action: 'operator-domains.remove', target: domain, customerId: null, effect });
    return preview;
  });
}
