import { operatorEmailSchema } from '#shared/contract/operator/operators.ts';
import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { recordAction } from '#server/audit-log/audit-log.ts';
import type { Identity } from '#server/auth/google.ts';
import { createOperatorSession } from '#server/auth/operator-sessions.ts';
import { newId } from '#server/crypto/ids.ts';
import { useIdToken } from '#server/auth/id-tokens.ts';
import type { Portal } from '#server/portal.ts';
import { refuse } from '#server/refusals/refuse.ts';

/** Exchanges a Google ID token of somebody who was added, or whose domain was, for a session. */
export async function signInOperator(portal: Portal, idToken: string) {
  const identity = await useIdToken(portal, idToken);
  return transaction(portal.db, async (tx) => {
    const operator = await admit(tx, identity, new Date(portal.machineClock()));
    if (operator === undefined) throw refuse('not_an_operator');
    return { accessToken: await createOperatorSession(tx, operator.id, portal.machineClock), operator };
  });
}

const shown = ['id', 'email', 'name', 'role'] as const;

/** The operator with this identity; at the first sign-in by the address or the domain. */
async function admit(tx: Tx, identity: Identity, now: Date) {
  const email = identity.email.toLowerCase();
  const { id } = (await findAdded(tx, identity, email)) ?? (await joinByDomain(tx, identity, email, now)) ?? {};
  if (id === undefined) return undefined;
  return tx
    .updateTable('operators')
    .set({ google_sub: identity.sub, name: identity.name, signed_in_at: now })
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirst();
}

/** Google runs the mailbox, or the Workspace does; of any other address it only saw a mail arrive once, whoever has it now. */
const isVouchedFor = ({ domain }: Identity, email: string): boolean =>
  ['gmail.com', 'googlemail.com', domain].includes(email.slice(email.lastIndexOf('@') + 1));

async function findAdded(tx: Tx, identity: Identity, email: string) {
  const { sub } = identity;
  const added = await tx
    .selectFrom('operators')
    .select(['id', 'google_sub'])
    .where('removed_at', 'is', null)
    .where((of) => of.or([of('google_sub', '=', sub), of.and([of('email', '=', email), of('google_sub', 'is', null)])]))
    .orderBy('google_sub', (order) => order.asc().nullsLast())
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (added?.google_sub === null && !isVouchedFor(identity, email)) throw refuse('address_not_proven');
  return added;
}

/** Whoever was removed, by address or identity, doesn't come back by a domain; nor does an address join that the audit log can't name. */
async function joinByDomain(tx: Tx, { sub, domain, name }: Identity, email: string, now: Date) {
  const found = await tx
    .selectFrom('operator_domains')
    .select('role')
    .where('domain', '=', domain ?? '')
    .forShare()
    .executeTakeFirst();
  if (!found || !operatorEmailSchema.safeParse(email).success) return undefined;
  const known = await tx
    .selectFrom('operators')
    .select('id')
    .where((of) => of.or([of('google_sub', '=', sub), of('email', '=', email)]))
    .executeTakeFirst();
  if (known) return undefined;
  const { role } = found;
  const joined = await tx
    .insertInto('operators')
    .values({ id: newId('OPR'), email, google_sub: sub, name, role, added_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!joined) return undefined;
  await recordAction(tx, {
    actor: email,
    reason: `First sign-in of somebody of ${domain ?? ''}`,
    action: 'operators.join',
    target: joined.id,
    customerId: null,
    effect: { email, role, domain },
  });
  return joined;
}
