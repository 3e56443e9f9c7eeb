import { createHash } from 'node:crypto';
import type { ReconItem, Settlement } from '#ship/standins/razorpay/entities.ts';
import { badRequest, unknownId } from '#ship/standins/razorpay/errors.ts';
import { idFrom, randomId } from '#ship/standins/razorpay/ids.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { transactionsOf } from '#ship/standins/razorpay/transactions.ts';

const dayMs = 86_400_000;
const indiaMs = 5.5 * 3_600_000;
/** Settlements are made at 09:00 in India. */
const hourMs = 9 * 3_600_000;
/** Razorpay's standard cycle is T+2 working days; every day is a working day here. */
const cycleMs = 2 * dayMs;

/** The number of the latest day (of days since 1970 in India) whose settlement time has come. */
function lastDueDay(nowMs: number): number {
  return Math.floor((nowMs + indiaMs - hourMs) / dayMs);
}

function timeOfDay(day: number): number {
  return day * dayMs + hourMs - indiaMs;
}

/** The day in India of a time in seconds, as `2026-11-23`. */
export function dayInIndia(seconds: number): string {
  return new Date(seconds * 1000 + indiaMs).toISOString().slice(0, 10);
}

/** Makes the settlement of every day whose time has come since the last call, each at its own time. After the clock was moved back, days come again. */
export function runDueSettlements(parts: RazorpayParts): void {
  const { state } = parts.ledger;
  const lastDay = lastDueDay(parts.now());
  if (state.settledDay === undefined || lastDay < state.settledDay) {
    parts.ledger.save({ kind: 'settled-day', value: { day: lastDay } });
    return;
  }
  for (let day = state.settledDay + 1; day <= lastDay; day += 1) {
    settle(parts, timeOfDay(day), timeOfDay(day) - cycleMs);
    parts.ledger.save({ kind: 'settled-day', value: { day } });
  }
}

/**
 * Settles at `atMs` of the stand-in's clock everything up to `untilMs`. While refunds exceed payments nothing is settled, and all of it
 * waits. Payments on hold are listed as not settled.
 */
function settle(parts: RazorpayParts, atMs: number, untilMs: number): Settlement | undefined {
  const { state } = parts.ledger;
  const mode = state.behaviour.settlements;
  if (mode === 'none') return undefined;
  const at = Math.floor(atMs / 1000);
  const due = transactionsOf(state).filter(
    ({ entity_id: id, created_at: createdAt }) =>
      createdAt * 1000 <= untilMs && state.settlementItems.get(id)?.settled !== true,
  );
  for (const item of due.filter((each) => state.holds.has(each.entity_id))) {
    if (!state.settlementItems.has(item.entity_id))
      parts.ledger.save({ kind: 'settlement-item', value: { ...item, on_hold: true, listed_at: at } });
  }
  const free = due
    .filter(({ entity_id: id }) => !state.holds.has(id))
    .map((item) => (mode === 'wrong-fee' ? withWrongFee(item) : item));
  const total = free.reduce((sum, item) => sum + item.credit - item.debit, 0);
  if (total <= 0) return undefined;
  const settlement: Settlement = {
    id: `setl_${randomId()}`,
    entity: 'settlement',
    amount: mode === 'wrong-sum' ? total + 100 : total,
    status: 'processed',
    // As in Razorpay's documentation: fees are charged per payment, and are 0 here in a normal settlement.
    fees: 0,
    tax: 0,
    utr: utrOf(at),
    created_at: at,
  };
  parts.ledger.save({ kind: 'settlement', value: settlement });
  for (const item of free) {
    const { id: settlement_id, utr: settlement_utr } = settlement;
    const value = { ...item, settled: true, settled_at: at, settlement_id, settlement_utr, listed_at: at };
    parts.ledger.save({ kind: 'settlement-item', value });
  }
  return settlement;
}

function withWrongFee(item: ReconItem): ReconItem {
  if (item.type !== 'payment' || item.credit < 100) return item;
  return { ...item, fee: item.fee + 100, credit: item.credit - 100 };
}

function utrOf(at: number): string {
  return `${at}${createHash('sha256').update(randomId()).digest('hex').slice(0, 6)}`;
}

/** Settles now whatever is captured, without waiting for its day. */
export function settleNow(parts: RazorpayParts): Settlement {
  // Also what is later than now, after the clock was moved back.
  const settlement = settle(parts, parts.now(), Infinity);
  if (!settlement) throw badRequest('Nothing is due for settlement.');
  return settlement;
}

export function findSettlement(parts: RazorpayParts, id: string): Settlement {
  const settlement = parts.ledger.state.settlements.get(id);
  if (!settlement) throw unknownId();
  return settlement;
}

/** The bank returns a settlement: its money is on the balance again and goes into the next one. */
export function failSettlement(parts: RazorpayParts, id: string): Settlement {
  const known = findSettlement(parts, id);
  if (known.status !== 'processed') throw badRequest(`A settlement that is ${known.status} cannot fail.`);
  const failed: Settlement = { ...known, status: 'failed' };
  parts.ledger.save({ kind: 'settlement', value: failed });
  for (const item of parts.ledger.state.settlementItems.values()) {
    if (item.settlement_id !== id) continue;
    parts.ledger.save({ kind: 'settlement-item-removed', value: { id: item.entity_id } });
  }
  return failed;
}

/** Holds a payment back from settlement, or releases it into the next one. */
export function holdPayment(parts: RazorpayParts, paymentId: string, on: boolean): void {
  if (!parts.ledger.state.payments.has(paymentId)) throw unknownId();
  parts.ledger.save({ kind: 'hold', value: { paymentId, on } });
}

/** Money that Razorpay adds to (or, below zero, takes from) the balance by itself. */
export function adjustBalance(parts: RazorpayParts, amount: number, description: string): { id: string } {
  const id = `adj_${idFrom(`${description}:${randomId()}`)}`;
  const created_at = Math.floor(parts.now() / 1000);
  parts.ledger.save({ kind: 'adjustment', value: { id, amount, description, created_at } });
  return { id };
}
