import type { Db, Tx } from '#shared/database/connect.ts';
import { parsePayLink, type PayLink, payLinkPath, payLinkText } from '#shared/domain/pay-link.ts';
import { hmacHex, sameBytes } from '#server/crypto/same-bytes.ts';
import { installationSecret } from '#server/crypto/installation-secret.ts';
import { readErased } from '#server/features/account/account.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner } from '#server/portal.ts';

/** What a genuine link is for. Whether it can still be paid by is another question. */
export interface OpenedLink extends PayLink {
  owner: Owner;
  activationId: string;
}

/** The path of the link that pays for unpaid cycles of an activation, until its links are ended. */
export async function payLinkPathOf(db: Db | Tx, activationId: string, cycleIds: readonly string[]): Promise<string> {
  const link = { cycleIds, number: await selectLinksEnded(db, activationId) };
  return payLinkPath(link, await signatureOf(db, link));
}

/** Refuses with 404 what was not signed here: a guess learns nothing of what exists (product §8.2). */
export async function openPayLink(db: Db, text: string): Promise<OpenedLink> {
  const link = parsePayLink(text);
  if (!link || !sameBytes(await signatureOf(db, link), link.signature)) throw refuse('not_found');
  const { cycleIds, number } = link;
  const cycle = await db
    .selectFrom('cycles')
    .select(['customer_id', 'activation_id'])
    .where('id', '=', cycleIds[0] ?? '')
    .executeTakeFirst();
  // As after a restore of a backup from before.
  if (!cycle) throw refuse('not_found');
  return { cycleIds, number, owner: { customerId: cycle.customer_id }, activationId: cycle.activation_id };
}

/** How often the links of an activation were ended. */
export async function selectLinksEnded(db: Db | Tx, activationId: string): Promise<number> {
  const { pay_links_ended: ended } = await db
    .selectFrom('activations')
    .select('pay_links_ended')
    .where('id', '=', activationId)
    .executeTakeFirstOrThrow();
  return ended;
}

/** An erasure ends every link of its customer. */
export const isEndedByErasure = async (db: Db | Tx, owner: Owner): Promise<boolean> =>
  (await readErased(owner, db)) !== null;

/** Ends all links of an activation that were made so far. Requires its lock. */
export async function endLinks(tx: Tx, activationId: string): Promise<void> {
  await tx
    .updateTable('activations')
    .set((of) => ({ pay_links_ended: of('pay_links_ended', '+', 1) }))
    .where('id', '=', activationId)
    .execute();
}

async function signatureOf(db: Db | Tx, link: PayLink): Promise<string> {
  return hmacHex(await installationSecret(db, 'pay-links'), payLinkText(link));
}
