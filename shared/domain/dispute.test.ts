import { expect, test } from 'vitest';
import { disputeMayBecome, type DisputeStatus, evidenceNoticeDue, hasEnded, refundWaits } from './dispute.ts';

const statuses: DisputeStatus[] = ['open', 'under_review', 'won', 'lost', 'closed'];

test('a dispute that has ended keeps its status; a request for more evidence reopens one under review', () => {
  const pairs = statuses.flatMap((from) => statuses.map((to) => ({ from, to })));
  for (const { from, to } of pairs) expect(disputeMayBecome(from, to)).toBe(!hasEnded(from) && from !== to);
  expect(disputeMayBecome('under_review', 'open')).toBe(true);
});

test('a refund waits while a bank claims the money, and not for a suspicion of fraud or a question', () => {
  const waiting = ['chargeback', 'pre_arbitration', 'arbitration', 'unknown', 'fraud', 'retrieval'].filter((phase) =>
    refundWaits({ status: 'open', phase }),
  );
  expect(waiting).toEqual(['chargeback', 'pre_arbitration', 'arbitration', 'unknown']);
  expect(statuses.filter((status) => refundWaits({ status, phase: 'chargeback' }))).toEqual(['open', 'under_review']);
});

test('the operator is reminded of evidence 3 days and 1 day before its time ends, and when it is over', () => {
  const day = 86_400_000;
  const notices = [4, 3, 2, 1, 0.5, 0, -1].map((days) => evidenceNoticeDue(10 * day, (10 - days) * day));
  expect(notices).toEqual([undefined, 3, 3, 1, 1, 'overdue', 'overdue']);
  expect(evidenceNoticeDue(null, 0)).toBeUndefined();
});
