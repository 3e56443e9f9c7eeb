import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#shared/database/connect.ts';
import type { Log } from '#shared/platform/log.ts';
import { claimDueAccounts } from '#server/features/bank-transfers/bank-transfers.ts';
import { checkMandate, claimDueDebits, claimDueMandates } from '#server/features/mandates/mandates.ts';
import { claimDueRefunds } from '#server/features/refunds/refunds.ts';
import type { Portal } from '#server/portal.ts';
import { claimDueDisputes, recordDispute } from './disputes.ts';
import { workOnRefund } from './money-back.ts';
import { claimDuePolls, pollList } from './provider-lists.ts';
import { claimDueOrders, reconcileOrder } from './reconcile.ts';
import { sendDebit } from './send-debit.ts';
import { reconcileAccount } from './transfers.ts';
import { claimDueDeliveries, settleDelivery } from './webhook.ts';

/** A kind of row with its own due time. Claiming a row schedules its next attempt, so that a crash loses nothing. */
interface DueWork {
  name: string;
  claim: (db: Db, nowMs: number, limit: number) => Promise<string[]>;
  work: (portal: Portal, id: string) => Promise<unknown>;
}

const kinds: DueWork[] = [
  { name: 'webhook delivery', claim: claimDueDeliveries, work: settleDelivery },
  { name: 'refund', claim: claimDueRefunds, work: workOnRefund },
  { name: 'dispute', claim: claimDueDisputes, work: recordDispute },
  { name: 'list of the provider', claim: claimDuePolls, work: pollList },
  { name: 'mandate', claim: claimDueMandates, work: checkMandate },
  { name: 'debit', claim: claimDueDebits, work: sendDebit },
  { name: 'account number', claim: claimDueAccounts, work: reconcileAccount },
  { name: 'order', claim: claimDueOrders, work: reconcileOrder },
];
const atOnce = 8;
const pollIntervalMs = 300;

/** Handles everything that is due, once, and returns how many rows that was. Several processes can share the work. */
export async function handleDueWork(portal: Portal, nowMs: number): Promise<number> {
  let worked = 0;
  for (const { name, claim, work } of kinds) {
    const ids = await claim(portal.db, nowMs, atOnce);
    worked += ids.length;
    await Promise.all(
      ids.map((id) => work(portal, id).catch((error: unknown) => logFailure(portal.log, name, id, error))),
    );
  }
  return worked;
}

function logFailure(log: Log, name: string, id: string, error: unknown): void {
  log.warn({ err: error, kind: name, id }, 'could not be settled and will be retried');
}

/** Handles due work until it is stopped. */
export function startDueWork(portal: Portal): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const worked = await handleDueWork(portal, portal.machineClock()).catch((error: unknown) => {
        portal.log.error({ err: error }, 'reading due payments failed');
        return 0;
      });
      if (worked === 0) await sleep(pollIntervalMs, undefined, { signal: stopping.signal }).catch(() => undefined);
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
