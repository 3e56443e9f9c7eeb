import { dayOf, daysBetween } from '#shared/domain/day.ts';
import { deadlineAlert, reportBy, type WaitState, waysOut } from '#shared/domain/e-invoice-deadline.ts';
import type { Db } from '#shared/database/connect.ts';
import type { Portal } from '#server/portal.ts';

/** The documents that wait for their registration, oldest first: pending, refused or too late, with the ways out of each. */
export async function readWorkList(db: Db, nowMs: number, isLimited: boolean) {
  const today = dayOf(nowMs);
  const waits = await db
    .selectFrom('e_invoice_waits as wait')
    .innerJoin('documents', 'documents.id', 'wait.document_id')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .select((document) => document.fn.coalesce('amendments.content', 'documents.content').as('content'))
    .select(['documents.number', 'documents.kind', 'documents.issued_on', 'documents.total_paise'])
    .select(['documents.customer_id', 'wait.refused_at', 'wait.refused_code', 'wait.refused_reason'])
    .where('wait.closed_at', 'is', null)
    .orderBy('wait.since')
    .orderBy('documents.number')
    .execute();
  return waits.map((wait) => {
    const lastDay = isLimited ? reportBy(wait.issued_on) : null;
    const daysLeft = lastDay === null ? null : daysBetween(today, lastDay);
    const state: WaitState = daysLeft !== null && daysLeft < 0 ? 'overdue' : wait.refused_at ? 'refused' : 'pending';
    return {
      number: wait.number,
      kind: wait.kind,
      state,
      issuedOn: wait.issued_on,
      lastDay,
      daysLeft,
      customerId: wait.customer_id,
      buyer: wait.content.recipient.name,
      buyerGstin: wait.content.recipient.gstin,
      totalPaise: wait.total_paise,
      refused: wait.refused_code === null ? null : { code: wait.refused_code, reason: wait.refused_reason ?? '' },
      waysOut: waysOut(state, wait.number, wait.refused_code),
    };
  });
}

/** Logs an error for each document whose time at the invoice portal runs out, on fixed days. Called once a day. */
export async function alertDeadlines({
  db,
  clock,
  log,
  settings,
}: Pick<Portal, 'db' | 'clock' | 'log' | 'settings'>): Promise<void> {
  if (!settings.eInvoiceThirtyDays) return;
  for (const { number, state, issuedOn } of await readWorkList(db, clock(), true)) {
    const alert = deadlineAlert(issuedOn, dayOf(clock()));
    if (!alert) continue;
    const message =
      alert.daysLeft < 0
        ? 'the invoice portal no longer accepts a document: see octroi e-invoices list'
        : 'the time to register a document runs out: see octroi e-invoices list';
    log.error({ number, state, ...alert }, message);
  }
}
