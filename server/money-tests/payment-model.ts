import {
  deactivated,
  giveBack,
  areDaysFree,
  isLate,
  isRunning,
  leftOf,
  type Model,
  type ModelCycle,
  type ModelPayment,
  plans,
  priceOf,
  refunded,
} from './money-model.ts';

/** The portal has read a payment's current state from the provider. */
export function portalReads(model: Model, payment: ModelPayment): void {
  if (payment.knownState === 'cycle' || payment.knownState === 'refund') return;
  if (payment.atProvider !== 'captured') {
    payment.knownState = payment.atProvider;
    return;
  }
  const { cycles } = payment.order;
  const isUnpaid = (cycle: ModelCycle) => cycle.status === 'PAYMENT_PENDING' && model.cycles.includes(cycle);
  const pays =
    !model.isBlocked &&
    payment.paise === priceOf(cycles) &&
    cycles.every(isUnpaid) &&
    !cycles.some((cycle) => isBlocked(model, cycle));
  payment.knownState = pays ? 'cycle' : 'refund';
  payment.order.isClosed = true;
  if (!pays) {
    model.refundPaise += payment.paise;
    payment.unpaidPaise = payment.paise;
    return;
  }
  for (const cycle of cycles) {
    for (const order of cycle.orders) order.isClosed = true;
    if (cycle.replaces && isRunning(model, cycle.replaces)) deactivated(model, cycle.replaces);
    if (cycle.adds) {
      cycle.days = cycle.adds.from + cycle.adds.days - model.today;
      model.paidPacks.push(cycle);
    }
    let from = cycle.replaces ? model.today : Math.max(cycle.from, model.today);
    while (!cycle.replaces && !cycle.adds && !areDaysFree(model, from, cycle.days)) from += 1;
    cycle.from = from;
    cycle.status = 'PAID';
    cycle.paidOn = model.today;
    cycle.invoicedPaise = from <= model.today ? plans[cycle.plan].paise : 0;
  }
}

/** The provider has paid out what the portal has promised of a payment, unless a dispute keeps it waiting. */
export function carriedOut(model: Model, payment: ModelPayment): void {
  if (payment.dispute) return;
  const promised = [payment, ...(payment.knownState === 'cycle' ? payment.order.cycles : [])];
  for (const each of promised) {
    model.gonePaise += each.unpaidPaise;
    each.unpaidPaise = 0;
  }
}

/** A switch starts on the day of its payment or not at all, and a pack while its plan runs. */
function isBlocked(model: Model, cycle: ModelCycle): boolean {
  const { replaces, days } = cycle;
  if (isLate(model, cycle)) return true;
  if (replaces === undefined) return false;
  return !areDaysFree(model, model.today, days, isRunning(model, replaces) ? replaces : undefined);
}

/**
 * Money of a payment was refunded at the provider: it pays what was promised and not carried out yet, and the rest is taken from the last
 * period backwards. The customer has twice what exceeds all of them.
 */
export function wentBack(model: Model, cycles: readonly ModelCycle[], paise: number): void {
  const lastFirst = cycles.toSorted((a, b) => b.from - a.from);
  model.gonePaise += paise;
  let left = paise;
  for (const cycle of lastFirst) {
    const covered = Math.min(left, cycle.unpaidPaise);
    cycle.unpaidPaise -= covered;
    left -= covered;
  }
  // No more than was paid for all of them.
  let due = Math.min(
    left,
    cycles.reduce((sum, cycle) => sum + leftOf(cycle), 0),
  );
  model.lossPaise += left - due;
  for (const cycle of lastFirst) {
    const before = cycle.backPaise;
    giveBack(model, cycle, due);
    const given = cycle.backPaise - before;
    cycle.unpaidPaise -= given;
    due -= given;
    refunded(model, cycle);
  }
}
