import type { Readable } from 'node:stream';
import type { Db } from '#shared/database/connect.ts';
import { type CsvCell, csvOf } from '#shared/domain/csv.ts';
import { startOfDay } from '#shared/domain/day.ts';
import { documentFileName } from '#shared/domain/document.ts';
import { firstDayOf, lastDayOf, type Month, monthOf } from '#shared/domain/month.ts';
import { RenderFault } from '#shared/paper/render-fault.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import {
  listDocuments,
  purchaseRegister,
  readFile,
  signedLink,
  signedPath,
} from '#server/features/documents/documents.ts';
import { certificateFileName, listAccepted, readCertificate } from '#server/features/tds/tds.ts';
import { readReport } from '#server/features/usage/usage.ts';
import { Refusal, refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { type ZipEntry, zipOf } from './zip.ts';

export { measurePack } from './measure.ts';
export { exportOfMonth, readProviderPack } from './provider-pack.ts';
export { type ZipEntry, zipOf } from './zip.ts';

/** Papers are made while a ZIP is sent, so a turn lasts until its end. They are no turns of calls, which would wait for a slow download. */
export const packLimits = { atOnce: 4, ofOwner: 2, waiting: 8 };

/** The path of a month's ZIP, below the backend's base URL. */
export function packPath(customerId: string, month: Month): string {
  return `/billing/packs/${customerId}/${month}/file`;
}

/** The same for an accountant: what the customer takes back or the accountant stops ends its links too. */
export function accountantPackPath(accountantId: string, month: Month): string {
  return `/accountants/${accountantId}/packs/${month}/file`;
}

/** The path to the papers of a month in a mail to an accountant; it works for 30 days. */
export function packLink(portal: Portal, accountantId: string, month: Month): string {
  return signedPath(portal, accountantPackPath(accountantId, month), 30 * 86_400_000);
}

/** Whose papers an accountant gets. Throws not_found when they get none any more. */
export async function customerOfAccountant(db: Db, accountantId: string): Promise<Owner> {
  const found = await db
    .selectFrom('accountants')
    .select('customer_id')
    .where('id', '=', accountantId)
    .where('confirmed_at', 'is not', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (!found) throw refuse('not_found');
  return { customerId: found.customer_id };
}

/** A short-lived link to the papers of a month. Throws not_found when the customer has none. */
export async function linkToMonthPack(portal: Portal, owner: SignedInMember, month: Month) {
  const documents = await listDocuments(portal, owner);
  const isEmpty = !documents.some(({ date }) => monthOf(date) === month);
  if (isEmpty && (await certificatesOf(portal, owner, month)).length === 0) throw refuse('not_found');
  return { downloadUrl: signedLink(portal, packPath(owner.customerId, month), owner) };
}

/**
 * The papers of a customer's month as a ZIP: every document issued in it, oldest first, the TDS certificates accepted in it, then the purchase
 * register and the usage statement. A document that has no PDF, because its registration was refused or is waiting or it can't be printed, is named in `missing.txt`.
 */
export async function readMonthPack(portal: Portal, owner: Owner, month: Month): Promise<Readable> {
  const [from, to] = [firstDayOf(month), lastDayOf(month)];
  const all = (await listDocuments(portal, owner)).toReversed();
  const papers: ZipEntry[] = [];
  const missing: string[] = [];
  for (const document of all) {
    const { id, number, date } = document;
    if (monthOf(date) !== month) continue;
    // Made now, so that a document without a PDF can't break the ZIP; read again when its turn comes, so that one is in memory at a time.
    const hasFile = await readFile(portal, id).then(() => true, hasNone);
    if (hasFile) papers.push({ name: `documents/${documentFileName(document)}`, content: () => readFile(portal, id) });
    else missing.push(number);
  }
  const register = await purchaseRegister(portal, owner, from, to);
  return zipOf(
    [
      ...papers,
      ...(await certificatesOf(portal, owner, month)),
      { name: `purchase-register-${month}.csv`, content: register },
      { name: `usage-${month}.csv`, content: await usageStatement(portal, owner, month) },
      ...(missing.length === 0 ? [] : [{ name: 'missing.txt', content: `No PDF yet: ${missing.join(', ')}\n` }]),
    ],
    new Date(startOfDay(to)),
  );
}

async function certificatesOf(portal: Portal, { customerId }: Owner, month: Month): Promise<ZipEntry[]> {
  const claims = await listAccepted(portal.db, { from: firstDayOf(month), to: lastDayOf(month), customerId });
  return claims.map((claim) => ({
    name: `tds/${certificateFileName(claim)}`,
    content: () => readCertificate(portal.db, claim.id),
  }));
}

/** That a document has no PDF: its registration waits or was refused, or printing it fails by itself, not because others are printed. */
function hasNone(error: unknown): false {
  const isUnprintable = error instanceof RenderFault && error.reason !== 'busy' && error.reason !== 'stopping';
  if (!(error instanceof Refusal || isUnprintable)) throw error;
  return false;
}

const usageColumns = ['Day', 'API', 'Activation', 'Key', 'Calls counted', 'Calls not counted', 'Units used'];

async function usageStatement(portal: Portal, owner: Owner, month: Month): Promise<string> {
  const { rows } = await readReport(portal, owner, firstDayOf(month), lastDayOf(month));
  return csvOf(
    usageColumns,
    rows.map((row): CsvCell[] => [
      row.day,
      row.serviceName,
      row.activationId,
      row.keyName,
      row.counted,
      row.free,
      row.units,
    ]),
  );
}
