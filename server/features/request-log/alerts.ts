import { alertsOf } from '#shared/domain/call-alerts.ts';
import { dayOf } from '#shared/domain/day.ts';
import { gatewayAnswers } from '#shared/domain/metering.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { countLogged, selectProblems } from './store.ts';

/** What went wrong today in the calls of an activation, as far as the customer should hear of it. */
export async function readAlerts(portal: Portal, caller: Caller, activationId: string) {
  const today = dayOf(portal.clock());
  const counts = await selectProblems(caller, portal.db, activationId, today);
  const calls = await countLogged(caller, portal.db, activationId, today);
  const alerts = alertsOf(counts, calls, (code) => Object.hasOwn(gatewayAnswers, code));
  return { calls, alerts: alerts.map((alert) => ({ ...alert, lastAt: alert.lastAt.toISOString() })) };
}
