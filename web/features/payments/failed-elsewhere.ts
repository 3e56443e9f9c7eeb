import { isPayable } from '#shared/domain/cycle.ts';

/** What is shown of a cycle's payments. */
export interface PaidCycle {
  id: string;
  status: Parameters<typeof isPayable>[0]['status'];
  changed: Parameters<typeof isPayable>[0]['changed'];
  payments: readonly { status: string; paymentCreatedAt: string; reason: string | null }[];
}

export interface FailedElsewhere {
  cycleId: string;
  reason: string;
}

/**
 * The latest payment of an unpaid cycle, if it failed after `dealtWithAt` (epoch milliseconds): a UPI payment may fail on
 * another device, or after the checkout was closed. The provider's times are whole seconds, so that one that began in the
 * second of `dealtWithAt` seems to be older.
 */
export function failedElsewhere(cycles: readonly PaidCycle[], dealtWithAt: number): FailedElsewhere | undefined {
  const from = Math.floor(dealtWithAt / 1000) * 1000;
  return cycles
    .filter((cycle) => isPayable(cycle))
    .flatMap(({ id, payments }) => {
      const last = payments.toSorted((a, b) => b.paymentCreatedAt.localeCompare(a.paymentCreatedAt))[0];
      return last?.status === 'failed' ? [{ cycleId: id, ...last }] : [];
    })
    .filter(({ paymentCreatedAt }) => Date.parse(paymentCreatedAt) >= from)
    .toSorted((a, b) => b.paymentCreatedAt.localeCompare(a.paymentCreatedAt))
    .map(({ cycleId, reason }) => ({ cycleId, reason: reason ?? '' }))[0];
}

/**
 * Until when payments are dealt with whose notice is dismissed at `now` (epoch milliseconds). Each payment that the page knows is,
 * also one that began in this second, or by a provider's clock that is ahead.
 */
export function dismissedUntil(now: number, cycles: readonly PaidCycle[]): number {
  const times = cycles.flatMap(({ payments }) => payments.map(({ paymentCreatedAt }) => Date.parse(paymentCreatedAt)));
  return Math.max(now, ...times.map((time) => time + 1000));
}
