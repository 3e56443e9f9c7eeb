import type { addCycle } from '#shared/contract/cycles.ts';
import { type CallFailure, Refused } from '#web/api/failures.ts';
import { addTexts } from '#web/features/cycles/texts.ts';

/** Refusals whose own message says what to choose instead; all others are failures. */
const isAdvice: Record<(typeof addCycle.refusals)[number], boolean> = {
  account_blocked: true,
  not_found: false,
  start_date_past: true,
  days_taken: true,
  trial_used: true,
  one_period_only: true,
  too_many_unpaid: true,
  too_many_requests: true,
};

/** The message for a plan that was not added (product §9.3). */
export function addCycleFailure(failure: CallFailure): { title: string; more?: string } {
  if (!(failure instanceof Refused)) return { title: addTexts.unreachable, more: failure.message };
  const { code } = failure;
  if (Object.entries(isAdvice).some(([advice, told]) => advice === code && told)) return { title: failure.message };
  return { title: addTexts.failed, more: failure.message };
}
