import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#database/connect.ts';
import type { Log } from '#platform/log.ts';
import { claimDueRefunds } from '#server/features/refunds/refunds.ts';
import type { Portal } from '#server/portal.ts';
import { claimDueDisputes, hearOfDispute } from './disputes.ts';
import { workOnRefund } from './money-back.ts';
import { claimDueLooks, lookInto } from './provider-looks.ts';
import { claimDueOrders, reconcileOrder } from './reconcile.ts';
import { claimDueDeliveries, settleDelivery } from './webhook.ts';

/** A kind of row that says by itself when it must be worked on; the claim plans the next time, so nothing is ever lost. */
interface DueWork {
  name: string;
  claim: (db: Db, nowMs: number, limit: number) => Promise<string[]>;
  work: (portal: Portal, id: string) => Promise<void>;
}

const kinds: DueWork[] = [
  { name: 'webhook delivery', claim: claimDueDeliveries, work: settleDelivery },
  { name: 'refund', claim: claimDueRefunds, work: workOnRefund },
  { name: 'dispute', claim: claimDueDisputes, work: hearOfDispute },
  { name: 'list of the provider', claim: claimDueLooks, work: lookInto },
  { name: 'order', claim: claimDueOrders, work: reconcileOrder },
];
const atOnce = 8;
const lookEveryMs = 300;

/** Works on everything of which the time has come, once; answers how much that was. Several processes share it. */
export async function workOnDue(portal: Portal, nowMs: number): Promise<number> {
  let worked = 0;
  for (const { name, claim, work } of kinds) {
    const ids = await claim(portal.db, nowMs, atOnce);
    worked += ids.length;
    await Promise.all(
      ids.map((id) => work(portal, id).catch((error: unknown) => complain(portal.log, name, id, error))),
    );
  }
  return worked;
}

function complain(log: Log, name: string, id: string, error: unknown): void {
  log.warn({ err: error, kind: name, id }, 'could not be settled and will be tried again');
}

/** Keeps working on what is due until it is stopped. */
export function startDueWork(portal: Portal): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const worked = await workOnDue(portal, portal.machineClock()).catch((error: unknown) => {
        portal.log.error({ err: error }, 'looking for due payments failed');
        return 0;
      });
      if (worked === 0) await sleep(lookEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
