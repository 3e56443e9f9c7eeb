import { type Refund, stageOf } from '#shared/domain/refund.ts';

/** Why the provider has not paid it, for the operator; empty of a transfer that it has not refused. */
export function whyUnpaid({
  refusal,
  returns,
  ...of
}: Pick<Refund, 'status' | 'payout' | 'refusal'> & { returns: number }): string {
  const stage = stageOf(of);
  const returned = returns === 0 ? '' : `A bank returned it ${returns === 1 ? 'once' : `${returns} times`}.`;
  const silent = stage === 'STARTED' && refusal === null ? 'Razorpay has not accepted it.' : '';
  const accepted = stage === 'PENDING' ? 'Razorpay accepted it, and has not paid it.' : silent;
  return `${returned} ${refusal ?? accepted}`.trim();
}
