import type { Selectable } from 'kysely';
import type { Tx } from '#shared/database/connect.ts';
import type { Tables } from '#shared/database/tables.ts';
import { transaction } from '#shared/database/transaction.ts';
import {
  type EvidenceNotice,
  evidenceNoticeDue,
  evidenceNotices,
  hasEnded,
  refundWaits,
} from '#shared/domain/dispute.ts';
import { dedupeKeyOf } from '#shared/domain/dedupe-key.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import { happened, selectHappened } from '#server/features/events/events.ts';
import type { Portal } from '#server/portal.ts';
import { unrecorded } from '#server/rounds/steps.ts';

type DisputeRow = Selectable<Tables['disputes']>;
type Report = PortalEvent<'dispute.reported'>;

const dayMs = 86_400_000;

/** Tells the operator of every step of a dispute, and the customer when the bank claims money and when that ends. */
export async function publishDispute(
  portal: Portal,
  tx: Tx,
  stored: DisputeRow,
  known: DisputeRow | undefined,
): Promise<void> {
  const owner = { customerId: stored.customer_id };
  const report = reportOf(stored, stageOf(stored, known));
  const { disputeId, paymentId, amountPaise, stage, respondBy, lossPaise } = report;
  const facts = { disputeId, paymentId, status: stored.status, amountPaise, respondBy, lossPaise };
  const isGood = stored.status === 'won' || stored.status === 'closed' || stage === 'under review';
  portal.log[isGood ? 'warn' : 'error'](facts, `a payment is disputed: ${stage}`);
  await happened(portal, owner, tx, report);
  const about = { cycleId: stored.cycle_id, paymentId, disputeId, amountPaise };
  // For a suspicion of fraud and a question of the bank nobody claims money from the customer's plan.
  if (refundWaits(stored)) await happened(portal, owner, tx, { type: 'dispute.opened', ...about });
  const { status } = stored;
  const wasOpened = known !== undefined && refundWaits(known);
  // A lost one has moved money, also if the portal learned of it only now.
  if (status === 'lost' || (wasOpened && (status === 'won' || status === 'closed')))
    await happened(portal, owner, tx, { type: 'dispute.ended', ...about, status });
}

function stageOf(stored: DisputeRow, known: DisputeRow | undefined): Report['stage'] {
  const { status } = stored;
  if (status === 'under_review') return 'under review';
  if (status !== 'open') return status;
  return known ? 'evidence asked' : 'opened';
}

function reportOf(dispute: DisputeRow, stage: Report['stage']): Report {
  return {
    type: 'dispute.reported',
    disputeId: dispute.provider_dispute_id,
    cycleId: dispute.cycle_id,
    paymentId: dispute.payment_id,
    amountPaise: hasEnded(dispute.status) ? dispute.deducted_paise || dispute.amount_paise : dispute.amount_paise,
    stage,
    reason: dispute.reason,
    respondBy: dispute.respond_by,
    lossPaise: dispute.loss_paise,
  };
}

/** Reminds the operator of evidence that is due in 3 days, in 1 day, and overdue, once each. Safe to call at any time. */
export async function remindOfEvidence(portal: Portal, items = unrecorded): Promise<void> {
  const nowMs = portal.clock();
  const rows = await portal.db
    .selectFrom('disputes')
    .selectAll()
    .where('status', '=', 'open')
    .where('respond_by', '<=', new Date(nowMs + evidenceNotices[0] * dayMs))
    .execute();
  const due = rows.flatMap((row) => {
    const notice: EvidenceNotice | undefined = evidenceNoticeDue(row.respond_by?.getTime() ?? null, nowMs);
    return notice === undefined ? [] : [{ row, report: reportOf(row, notice) }];
  });
  const known = await selectHappened(
    portal.db,
    due.map(({ report }) => dedupeKeyOf(report)),
  );
  for (const { row, report } of due.filter((each) => !known.has(dedupeKeyOf(each.report)))) {
    const { disputeId, stage, respondBy } = report;
    await items.each(disputeId, async () => {
      await transaction(portal.db, (tx) => happened(portal, { customerId: row.customer_id }, tx, report));
      portal.log.error({ disputeId, stage, respondBy }, 'evidence for a dispute is due');
    });
  }
}
