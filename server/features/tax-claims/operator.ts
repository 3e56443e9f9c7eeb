import type { ListedTaxClaim, taxClaimCalls } from '#shared/contract/operator/tax-claims.ts';
import type { Db } from '#shared/database/connect.ts';
import { claimOf, isProven } from '#shared/domain/tax-claim.ts';
import { readProfile } from '#server/features/account/account.ts';
import { requireCustomer } from '#server/features/ownership/ownership.ts';
import { checkSezAgain, requireSearch, selectLastCheck } from '#server/features/sez-checks/sez-checks.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { type AskedPage, pageOf } from '#server/operator-pages.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { selectDeclared } from './store.ts';

export const taxClaimHandlers: Handlers<typeof taxClaimCalls> = {
  listTaxClaims: {
    read: async ({ db }, { customerId, ...page }) => {
      if (customerId !== undefined) await requireCustomer(db, customerId);
      return listClaims(db, customerId, page);
    },
  },
  readClaimLetter: {
    read: async ({ db }, { claimId }) => {
      const found = await db
        .selectFrom('tax_claims')
        .select(['id', 'customer_id', 'letter_name', 'letter_type', 'letter'])
        .where('id', '=', claimId.trim())
        .executeTakeFirst();
      if (!found) throw new OperatorRefusal(`There is no declaration ${claimId}.`, 'not_found');
      const { id, customer_id: customerId, letter_name: name, letter_type: type, letter } = found;
      return { claimId: id, customerId, name, type, letter: letter.toString('base64') };
    },
  },
  checkSez: {
    preview: async (operator, { customerId }) => {
      const claim = await requireSezClaim(operator.db, customerId);
      requireSearch(operator);
      return { ...claim, outcome: null, type: null };
    },
    perform: async (operator, { customerId }, cause) => {
      const claim = await requireSezClaim(operator.db, customerId);
      return { ...claim, ...(await checkSezAgain(operator, { customerId }, claim.gstin, cause)) };
    },
  },
};

/** Throws OperatorRefusal. */
async function requireSezClaim(db: Db, customerId: string) {
  await requireCustomer(db, customerId);
  const profile = await readProfile({ customerId }, db);
  const claim = profile && claimOf(profile);
  if (claim?.kind !== 'SEZ') throw new OperatorRefusal(`${customerId} does not claim to be an SEZ.`);
  const last = await selectLastCheck({ customerId }, db, claim.about);
  return { customerId, gstin: claim.about, before: last?.outcome ?? null };
}

/** By customer: a claim has no day of its own until it is declared or checked. */
async function listClaims(db: Db, customerId: string | undefined, { after, limit }: AskedPage) {
  let query = db
    .selectFrom('profiles')
    .innerJoin('customers', 'customers.id', 'profiles.customer_id')
    .select(['profiles.customer_id', 'customers.name', 'profiles.country', 'profiles.gstin', 'profiles.sez'])
    .where((profile) => profile.or([profile('sez', '=', true), profile('country', '<>', 'IN')]))
    .orderBy('profiles.customer_id')
    .limit(limit + 1);
  if (customerId !== undefined) query = query.where('profiles.customer_id', '=', customerId);
  if (after !== undefined) query = query.where('profiles.customer_id', '>', after);
  const { rows, next } = pageOf(await query.execute(), limit, (row) => row.customer_id);
  const claims = await Promise.all(rows.map((row) => claimOfRow(db, row)));
  return { claims: claims.filter((claim) => claim !== undefined), next };
}

async function claimOfRow(
  db: Db,
  row: { customer_id: string; name: string; country: string; gstin: string | null; sez: boolean },
): Promise<ListedTaxClaim | undefined> {
  const claim = claimOf(row);
  if (claim === undefined) return undefined;
  const owner = { customerId: row.customer_id };
  const declared = await selectDeclared(owner, db, claim);
  const check = claim.kind === 'SEZ' ? await selectLastCheck(owner, db, claim.about) : undefined;
  return {
    ...owner,
    customer: row.name,
    ...claim,
    declared: declared ? { claimId: declared.id, on: declared.declared_on, letterName: declared.letter_name } : null,
    checked: check ? { at: check.checked_at.toISOString(), outcome: check.outcome, type: check.type_text } : null,
    isProven: isProven({ declared: declared !== undefined, outcome: check?.outcome }),
  };
}
