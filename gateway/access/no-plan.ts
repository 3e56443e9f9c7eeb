import { grantsAccess } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { paymentRequired, type Refusal } from '#gateway/http/refusals.ts';
import type { AccessCycle, KeyAccess } from './access-cache.ts';

/** The cycle that gives a key access at an instant. */
export function runningCycle(access: KeyAccess, nowMs: number): AccessCycle | undefined {
  return access.cycles.find((cycle) => grantsAccess(cycle.status) && cycle.startsAt <= nowMs && nowMs < cycle.endsAt);
}

/** Tells the customer why no plan is running and what to do. */
export function noPlanRefusal(access: KeyAccess, nowMs: number, day: Day, portalUrl: string): Refusal {
  const page = billingPage(portalUrl, access);
  const unpaid = access.cycles.find((cycle) => !grantsAccess(cycle.status) && cycle.endsAt > nowMs);
  if (unpaid !== undefined) {
    const message = `The plan ${unpaid.planName} is not paid yet. Pay for it at ${page}.`;
    return paymentRequired(message, { rule: 'unpaid', plan: unpaid.planName });
  }
  const next = access.cycles.find((cycle) => cycle.startsAt > nowMs);
  if (next !== undefined) {
    const message = `The plan ${next.planName} starts on ${next.fromDate}, 00:00 IST; today is ${day}.`;
    return paymentRequired(message, { rule: 'upcoming', plan: next.planName, day: next.fromDate });
  }
  const last = access.cycles.findLast((cycle) => grantsAccess(cycle.status));
  if (last !== undefined) {
    const message = `The plan ${last.planName} ended on ${last.toDate}, 00:00 IST. Choose the next one at ${page}.`;
    return paymentRequired(message, { rule: 'ended', plan: last.planName, day: last.toDate });
  }
  return paymentRequired(`No plan is running. Choose one at ${page}.`, { rule: 'none' });
}

/** The plan is not paid, and a bill of its customer is overdue for too long. */
export function overdueRefusal({ planName }: AccessCycle, portalUrl: string): Refusal {
  const message = `The plan ${planName} has stopped, because a bill is overdue. Pay it at ${portalUrl}/billing; calls work again at once.`;
  return paymentRequired(message, { rule: 'overdue', plan: planName });
}

/** The cycle ended while the call waited for a unit. */
export function endedPlanRefusal(access: KeyAccess, { planName, toDate }: AccessCycle, portalUrl: string): Refusal {
  const message = `The plan ${planName} has ended. Choose one at ${billingPage(portalUrl, access)}.`;
  return paymentRequired(message, { rule: 'ended', plan: planName, day: toDate });
}

/** Where the customer buys plans of an activation. */
export function billingPage(portalUrl: string, { activationId }: KeyAccess): string {
  return `${portalUrl}/activations/${activationId}/billing`;
}
