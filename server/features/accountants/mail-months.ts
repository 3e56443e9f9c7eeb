import { transaction } from '#shared/database/transaction.ts';
import { dueMonths, firstUnsendableMonth } from '#shared/domain/accountant.ts';
import { type Month, monthBefore } from '#shared/domain/month.ts';
import { happened } from '#server/features/events/events.ts';
import { writeProviderMail } from '#server/features/mail/mail.ts';
import { measurePack, packLink } from '#server/features/month-pack/month-pack.ts';
import type { Portal } from '#server/portal.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { accountantPath } from './link.ts';
import { lockRequest, selectDue, setNextMonth } from './store.ts';

const batchSize = 200;

/**
 * Mails the papers of each month to the accountants, from 06:00 IST on the 1st of the next; each month and customer once, however often and
 * in however many processes this runs. A month without documents is not mailed.
 */
export async function mailMonths(portal: Portal, items = unrecorded): Promise<void> {
  const before = firstUnsendableMonth(portal.clock());
  for (let after = ''; ;) {
    const due = await selectDue(portal.db, before, after, batchSize);
    for (const { id } of due) {
      await items.each(id, () => mailAccountant(portal, id));
    }
    const last = due.at(-1);
    if (last === undefined || due.length < batchSize || items.stopping?.aborted) break;
    after = last.id;
  }
  const { accountantEmail } = portal.settings;
  if (accountantEmail !== undefined)
    await items.each('ACCOUNTANT_EMAIL', () => mailProvider(portal, accountantEmail, monthBefore(before)));
}

async function mailAccountant(portal: Portal, accountantId: string): Promise<void> {
  await transaction(portal.db, async (tx) => {
    const row = await lockRequest(tx, accountantId);
    if (!row?.next_month || row.ended_at !== null) return;
    const { customer_id: customerId, email, next_month: from } = row;
    const now = portal.clock();
    for (const month of dueMonths(from, now)) {
      const { documents, fitsMail } = await measurePack(tx, month, customerId);
      if (documents === 0) continue;
      await happened(portal, { customerId }, tx, {
        type: 'month.packed',
        customerId,
        accountantId,
        email,
        month,
        documents,
        isAttached: fitsMail,
        download: packLink(portal, accountantId, month),
        path: accountantPath(portal.linkSecret, accountantId),
      });
    }
    await setNextMonth(tx, accountantId, firstUnsendableMonth(now));
  });
}

/** The same for the provider's own accountant, who is in the settings: no confirmation is needed. */
async function mailProvider(portal: Portal, recipient: string, month: Month): Promise<void> {
  const dedupeKey = `provider-pack:${month}`;
  const known = await portal.db
    .selectFrom('event_keys')
    .select('dedupe_key')
    .where('dedupe_key', '=', dedupeKey)
    .executeTakeFirst();
  if (known) return;
  await transaction(portal.db, async (tx) => {
    const isNew = await tx
      .insertInto('event_keys')
      .values({ dedupe_key: dedupeKey, customer_id: null, happened_at: new Date(portal.clock()) })
      .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
      .returning('dedupe_key')
      .executeTakeFirst();
    const size = await measurePack(tx, month);
    if (isNew && size.documents > 0) await writeProviderMail(portal, tx, { dedupeKey, recipient, month, ...size });
  });
}
