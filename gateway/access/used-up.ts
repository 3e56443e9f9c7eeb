import { dayOf } from '#shared/domain/day.ts';
import { monthlyResetsAt } from '#shared/domain/quota.ts';
import { quotaExceeded, type Refusal } from '#gateway/http/refusals.ts';
import { secondsUntil } from '#gateway/quota/rate-limit-headers.ts';
import type { AdmittedCall } from './admitted-call.ts';
import type { Moment } from './moment.ts';

/** A call that found fewer units than it needs. */
type ShortCall = Omit<AdmittedCall, 'held'>;

/** A quota that is used up, or nearly. */
interface UsedUp {
  rule: 'monthly' | 'daily' | 'key' | 'member';
  limit: number;
  left: number;
  /** Whose quota, and until when, in words. */
  of: string;
  note?: string;
  renewsAt: number;
  facts?: Record<string, string>;
}

/** Refuses a call because fewer units are left than it needs: of the cycle's quota, of the day's, of its key's cap, or of its maker's limit. */
export function usedUp(call: ShortCall, { nowMs, day, dayEndsAt }: Moment): Refusal {
  const { access, cycle, lease, cost } = call;
  const { planName: plan } = cycle;
  const leftOf = (left: number): number => Math.max(0, left + lease.available);
  const [daily, monthly] = [leftOf(lease.dayLeft), leftOf(lease.cycleLeft)];
  const policies = [...(daily < cost.units ? ['daily'] : []), ...(monthly < cost.units ? ['monthly'] : [])];
  const tomorrow = ' The count starts again at 00:00 IST.';
  if (monthly < cost.units) {
    const renewsAt = monthlyResetsAt(cycle.endsAt, cycle.windowEndsAt, nowMs);
    const until = dayOf(renewsAt);
    const of = `of the plan ${plan} until ${until}, 00:00 IST,`;
    const facts = { plan, day: until };
    const { monthlyQuota: limit } = cycle;
    return refusal(call, policies, { rule: 'monthly', limit, left: monthly, of, renewsAt, facts }, nowMs);
  }
  if (policies.length === 0 && leftOf(lease.keyLeft) < cost.units) {
    const note = ` The cap is the key's own; the plan has ${nounOf(call)} left.${tomorrow}`;
    const of = `that this key may ${nounOf(call) === 'calls' ? 'make' : 'use'} on ${day}`;
    const [limit, left] = [access.dailyCap ?? 0, leftOf(lease.keyLeft)];
    return refusal(call, ['key'], { rule: 'key', limit, left, of, note, renewsAt: dayEndsAt }, nowMs);
  }
  if (policies.length === 0 && leftOf(lease.memberLeft) < cost.units) {
    const note = ` The owner of the account set this limit for the member who made this key; the plan has ${nounOf(call)} left.${tomorrow}`;
    const of = `that all keys of one member may ${nounOf(call) === 'calls' ? 'make' : 'use'} on ${day}`;
    const [limit, left] = [access.maker?.dailyLimit ?? 0, leftOf(lease.memberLeft)];
    return refusal(call, ['member'], { rule: 'member', limit, left, of, note, renewsAt: dayEndsAt }, nowMs);
  }
  const { dailyQuota: limit } = cycle;
  const of = `of the plan ${plan} for ${day}`;
  const facts = { plan };
  return refusal(
    call,
    ['daily'],
    { rule: 'daily', limit, left: daily, of, note: tomorrow, renewsAt: dayEndsAt, facts },
    nowMs,
  );
}

function nounOf({ cycle }: ShortCall): 'calls' | 'units' {
  return cycle.costs === null ? 'calls' : 'units';
}

function refusal(call: ShortCall, policies: readonly string[], quota: UsedUp, nowMs: number): Refusal {
  const { rule, limit, left, of, note = '' } = quota;
  const inUnits = nounOf(call) === 'units';
  const { units: needed } = call.cost;
  const message =
    inUnits && left > 0
      ? `This call needs ${needed} units, and ${left} of the ${limit} units ${of} are left.${note}`
      : `All ${limit} ${nounOf(call)} ${of} are used.${note}`;
  const facts = { rule, limit, ...quota.facts, ...(inUnits ? { needed, left } : {}) };
  const refused = quotaExceeded(policies, message, secondsUntil(quota.renewsAt, nowMs), facts);
  if (!inUnits) return refused;
  return { ...refused, extensions: { ...refused.extensions, unitsNeeded: needed, unitsLeft: left } };
}
