import { alertsOf } from '#shared/domain/call-alerts.ts';
import { dayOf } from '#shared/domain/day.ts';
import { gatewayAnswers } from '#shared/domain/metering.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { countLogged, selectProblems } from './store.ts';

/** What went wrong today in the calls of an activation, as far as the customer should hear of it. */
export async function readAlerts(portal: Portal, owner: Owner, activationId: string) {
  const today = dayOf(portal.clock());
  const counts = await selectProblems(owner, portal.db, activationId, today);
  const calls = await countLogged(owner, portal.db, activationId, today);
  const alerts = alertsOf(counts, calls, (code) => Object.hasOwn(gatewayAnswers, code));
  return { calls, alerts: alerts.map((alert) => ({ ...alert, lastAt: alert.lastAt.toISOString() })) };
}
