import { alertsOf } from '#shared/domain/call-alerts.ts';
import { dayOf } from '#shared/domain/day.ts';
import { gatewayAnswers } from '#shared/domain/metering.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { selectKeyNames } from './keys.ts';

/** What went wrong today in the calls of an activation, as far as the customer should hear of it. */
export async function readAlerts({ clock, db, requestLog }: Portal, owner: Owner, activationId: string) {
  const today = dayOf(clock());
  const problems = await requestLog.problems(activationId, today);
  const names = await selectKeyNames(
    owner,
    db,
    problems.map(({ keyId }) => keyId),
  );
  const counts = problems.flatMap((problem) => {
    const key = names.get(problem.keyId);
    return key === undefined ? [] : [{ ...problem, keyName: key.name }];
  });
  const calls = await requestLog.callsOn(activationId, today);
  const alerts = alertsOf(counts, calls, (code) => Object.hasOwn(gatewayAnswers, code));
  return { calls, alerts: alerts.map((alert) => ({ ...alert, lastAt: alert.lastAt.toISOString() })) };
}
