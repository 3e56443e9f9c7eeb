import { randomBytes } from 'node:crypto';
import { type OperatorReply, operatorCalls } from '#shared/contract/operator/calls.ts';
import type { tokenCalls } from '#shared/contract/operator/tokens.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { isForTokens, mayCall } from '#shared/policies/policies.ts';
import { actingOperator, type ActingOperator } from '#server/audit-log/acting-operator.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { newId, sha256 } from '#server/crypto/ids.ts';
import type { Handlers, OperatorSource } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

const dayMs = 86_400_000;

interface WantedToken {
  name: string;
  scopes: string[];
  days: number;
}

const selectTokens = (db: Db | Tx) =>
  db
    .selectFrom('operator_tokens as token')
    .innerJoin('operators', 'operators.id', 'token.operator_id')
    .select(['token.id', 'token.name', 'hint', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'])
    .select(['operators.email as operator', 'operator_id'])
    .orderBy('created_at', 'desc');

type TokenRow = Awaited<ReturnType<ReturnType<typeof selectTokens>['executeTakeFirstOrThrow']>>;

const tokenOf = ({ id, name, hint, operator, scopes, ...row }: TokenRow) => ({
  id,
  name,
  hint,
  operator,
  scopes,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
});

/** A token acts for the person who makes it. */
function requirePerson(): ActingOperator {
  const acting = actingOperator();
  if (acting === undefined) throw new OperatorRefusal('A token is made by the operator for whom it acts, signed in.');
  return acting;
}

function previewToken({ actor }: OperatorCause, { name, scopes, days }: WantedToken): OperatorReply<'createToken'> {
  const { at, role } = requirePerson();
  const unknown = scopes.filter((scope) => !Object.values(operatorCalls).some((call) => call.name === scope));
  if (unknown.length > 0) throw new OperatorRefusal(`There is no call ${unknown.join(', ')}.`, 'invalid_request');
  const ofPeople = Object.values(operatorCalls).filter((call) => scopes.includes(call.name) && !isForTokens(call.name));
  if (ofPeople.length > 0)
    throw new OperatorRefusal(`Only people may do this: ${ofPeople.map((call) => call.name).join(', ')}.`);
  // It would begin to work by itself when the operator gets another role.
  const beyond = Object.values(operatorCalls).filter(({ name: call }) => scopes.includes(call) && !mayCall(role, call));
  if (beyond.length > 0)
    throw new OperatorRefusal(
      `The role ${role} may not do this: ${beyond.map((call) => call.name).join(', ')}.`,
      'forbidden',
    );
  return {
    id: null,
    name,
    hint: null,
    operator: actor,
    scopes: [...new Set(scopes)],
    createdAt: at.toISOString(),
    expiresAt: new Date(at.getTime() + days * dayMs).toISOString(),
    lastUsedAt: null,
    revokedAt: null,
    token: null,
  };
}

function createToken({ db }: OperatorSource, wanted: WantedToken, cause: OperatorCause) {
  const preview = previewToken(cause, wanted);
  const { operatorId, at } = requirePerson();
  const token = `octo_${randomBytes(32).toString('base64url')}`;
  const [id, hint] = [newId('OTK'), token.slice(-4)];
  const { name, scopes, expiresAt } = preview;
  return transaction(db, async (tx) => {
    const effect = { name, scopes, expiresAt };
    await recordAction(tx, { ...cause, action: 'operator-tokens.create', target: id, customerId: null, effect });
    await tx
      .insertInto('operator_tokens')
      .values({
        id,
        operator_id: operatorId,
        name,
        token_hash: sha256(token),
        hint,
        scopes,
        created_at: at,
        expires_at: new Date(expiresAt),
      })
      .execute();
    return { ...preview, id, hint, token };
  });
}

/** A token that can be revoked: an owner and the command revoke any, others their own. */
async function findRevocable(db: Db | Tx, tokenId: string): Promise<TokenRow> {
  const token = await selectTokens(db).where('token.id', '=', tokenId).executeTakeFirst();
  const acting = actingOperator();
  const mayRevoke = acting === undefined || acting.role === 'owner' || acting.operatorId === token?.operator_id;
  if (token === undefined || !mayRevoke)
    throw new OperatorRefusal(`There is no token ${tokenId} of yours.`, 'not_found');
  if (token.revoked_at !== null) throw new OperatorRefusal(`${tokenId} is revoked already.`, 'nothing_to_change');
  return token;
}

function revokeToken({ db, clock }: OperatorSource, tokenId: string, cause: OperatorCause) {
  return transaction(db, async (tx) => {
    const { name, operator } = await findRevocable(tx, tokenId);
    const effect = { name, operator };
    await recordAction(tx, { ...cause, action: 'operator-tokens.revoke', target: tokenId, customerId: null, effect });
    await tx
      .updateTable('operator_tokens')
      .set({ revoked_at: new Date(clock()) })
      .where('id', '=', tokenId)
      .where('revoked_at', 'is', null)
      .execute();
    return tokenOf(await selectTokens(tx).where('token.id', '=', tokenId).executeTakeFirstOrThrow());
  });
}

export const tokenHandlers: Handlers<typeof tokenCalls> = {
  listTokens: { read: async ({ db }) => ({ tokens: (await selectTokens(db).execute()).map(tokenOf) }) },
  createToken: {
    needs: 'database',
    preview: async (_source, wanted, cause) => previewToken(cause, wanted),
    perform: createToken,
  },
  revokeToken: {
    needs: 'database',
    preview: async ({ db }, { tokenId }) => tokenOf(await findRevocable(db, tokenId)),
    perform: (source, { tokenId }, cause) => revokeToken(source, tokenId, cause),
  },
};
