/**
 * What one customer's activation of one product should look like, in plain numbers: days are counted from the first day of
 * the test. Written without the product's own rules, so that it can disagree with them.
 */
export interface ModelCycle {
  id: string;
  plan: ModelPlan;
  from: number;
  days: number;
  /** The product's day when it was added; the clock may have gone back since. */
  addedOn: number;
  status: 'PAYMENT_PENDING' | 'PAID' | 'NO_PAYMENT_REQUIRED' | 'DEACTIVATED' | 'REMOVED' | 'REFUNDED';
  /** How much of its price was or will be refunded, in paise. */
  backPaise: number;
  /** How much of that was tax deducted at source, which is still a part of the price. */
  deductedPaise: number;
  /** How much of what was or will be refunded the provider was not asked for yet, and nobody has paid otherwise. */
  unpaidPaise: number;
  /** Orders closed by the portal: a payment on them is refunded. */
  orders: ModelOrder[];
  /** The cycle whose place it takes when it is paid. */
  replaces?: ModelCycle;
  /** The running cycle that it adds units to: it is a pack. */
  adds?: ModelCycle;
  /** Units that were taken beyond its own quota. */
  packUnitsTaken: number;
  /** The product's day when it was paid. */
  paidOn: number;
  /** The value of its invoice, in paise; 0 without one: an advance has one only after it has started, about what is left of it. */
  invoicedPaise: number;
  /** A claim about tax deducted at source that waits or was accepted. */
  claim?: { id: string; paise: number; isWaiting: boolean };
}

export interface ModelOrder {
  id: string;
  /** One, or several that one payment pays for, in the order of their days. */
  cycles: ModelCycle[];
  /** Does the provider have a captured or authorised payment for it? */
  isTakenAtProvider: boolean;
  isClosed: boolean;
}

export interface ModelPayment {
  id: string;
  order: ModelOrder;
  paise: number;
  atProvider: 'created' | 'failed' | 'captured';
  knownState: 'nothing' | 'created' | 'failed' | 'cycle' | 'refund';
  disputed: boolean;
  /** A dispute that is not decided yet. */
  dispute?: { id: string; paise: number };
  /** What lost disputes have taken. */
  lostPaise: number;
  /** What of it must be refunded, since it pays for nothing, and was not yet. */
  unpaidPaise: number;
  /** What the provider's settlements have paid out for it. */
  bankPaise: number;
}

export const plans = {
  starter: { paise: 49_900, days: 30 },
  growth: { paise: 149_900, days: 30 },
  'growth-90': { paise: 419_900, days: 90 },
  free: { paise: 0, days: 30 },
  trial: { paise: 0, days: 14 },
  /** By the operator. */
  granted: { paise: 0, days: 30 },
  /** Units for the rest of a running plan. */
  'extra-100': { paise: 4_900, days: 0 },
} as const;
export type ModelPlan = keyof typeof plans;

export interface Model {
  today: number;
  activationId: string | undefined;
  cycles: ModelCycle[];
  /** Cycles of deleted activations. */
  formerCycles: ModelCycle[];
  payments: ModelPayment[];
  /** In the order in which they were paid. */
  paidPacks: ModelCycle[];
  isTrialUsed: boolean;
  /** By the operator: payments are refunded, and nothing can be bought. */
  isBlocked: boolean;
  /** Refunds that are due or done, in paise. */
  refundPaise: number;
  /** Those of them with a credit note or refund voucher. */
  papersPaise: number;
  /** What the customer has got back in total, by the provider and by lost disputes. */
  gonePaise: number;
  /** What of that exceeds the price. */
  lossPaise: number;
  /** Did the response to a refund get lost, so that the portal may not know yet that it was paid? */
  isUnheard: boolean;
  /** Does deactivating a running plan refund its unused days? */
  givesUnusedBack: boolean;
}

export function emptyModel(givesUnusedBack: boolean): Model {
  return {
    givesUnusedBack,
    today: 0,
    activationId: undefined,
    cycles: [],
    formerCycles: [],
    payments: [],
    paidPacks: [],
    isTrialUsed: false,
    isBlocked: false,
    refundPaise: 0,
    papersPaise: 0,
    gonePaise: 0,
    lossPaise: 0,
    isUnheard: false,
  };
}

export const gives = (cycle: ModelCycle): boolean => cycle.status === 'PAID' || cycle.status === 'NO_PAYMENT_REQUIRED';

function covers(cycle: ModelCycle, day: number): boolean {
  return day >= cycle.from && day < cycle.from + cycle.days;
}

/** Does no plan cover any of these days, but for one that is replaced? */
export function areDaysFree(model: Model, from: number, days: number, replaced?: ModelCycle): boolean {
  for (let day = from; day < from + days; day += 1) {
    if (model.cycles.some((cycle) => cycle !== replaced && !cycle.adds && gives(cycle) && covers(cycle, day)))
      return false;
  }
  return true;
}

/** Why a plan can't start on a day; undefined when it can. */
export function whyNotAdded(model: Model, plan: ModelPlan, from: number): string | undefined {
  if (from < model.today) return 'start_date_past';
  if (!areDaysFree(model, from, plans[plan].days)) return 'days_taken';
  return plan === 'trial' && model.isTrialUsed ? 'trial_used' : undefined;
}

/** The same for periods that start on these days, added by one call; at most 24 subscriptions wait for their payment. */
export function whyPeriodsNotAdded(model: Model, plan: ModelPlan, starts: readonly number[]): string | undefined {
  const costs = plans[plan].paise > 0;
  if (starts.length > 1 && !costs) return 'one_period_only';
  const unpaid = model.cycles.filter(
    ({ status, replaces, adds }) => status === 'PAYMENT_PENDING' && !replaces && !adds,
  );
  return starts
    .map((start, index) => {
      const isTooMany = costs && unpaid.length + index >= 24;
      return whyNotAdded(model, plan, start) ?? (isTooMany ? 'too_many_unpaid' : undefined);
    })
    .find((why) => why !== undefined);
}

export function added(model: Model, id: string, plan: ModelPlan, from: number): void {
  const status = plans[plan].paise === 0 ? 'NO_PAYMENT_REQUIRED' : 'PAYMENT_PENDING';
  const { days } = plans[plan];
  const unpaid = {
    backPaise: 0,
    deductedPaise: 0,
    unpaidPaise: 0,
    orders: [],
    paidOn: 0,
    invoicedPaise: 0,
    packUnitsTaken: 0,
  };
  model.cycles.push({ id, plan, from, days, addedOn: model.today, status, ...unpaid });
  if (plan === 'trial') model.isTrialUsed = true;
}

/** A pack of a running plan was ordered. */
export function addedPack(model: Model, id: string, adds: ModelCycle): void {
  added(model, id, 'extra-100', model.today);
  const pack = model.cycles.at(-1);
  if (pack) Object.assign(pack, { adds, days: adds.from + adds.days - model.today });
}

export const packsOf = (model: Model, cycle: ModelCycle) => everyCycle(model).filter(({ adds }) => adds === cycle);

/** Nobody can pay for it any more. */
export function removed(cycle: ModelCycle): void {
  cycle.status = 'REMOVED';
  for (const order of cycle.orders) order.isClosed = true;
}

/** A plan has ended, and its packs with it: untouched ones come back whole, where unused days do, in the order of their payment. */
function endPacks(model: Model, cycle: ModelCycle): void {
  const paid = model.paidPacks.filter(({ adds, status }) => adds === cycle && status === 'PAID');
  for (const pack of packsOf(model, cycle)) {
    if (pack.status === 'PAYMENT_PENDING') removed(pack);
    else if (pack.status === 'PAID') {
      const isUntouched = paid.indexOf(pack) * 100 >= cycle.packUnitsTaken;
      const left = leftOf(pack);
      const isGivenBack = isUntouched && model.givesUnusedBack && left > 0;
      if (isGivenBack) giveBack(model, pack, left);
      pack.status = isGivenBack ? 'REFUNDED' : 'DEACTIVATED';
    }
  }
}

/** The whole price of a plan or pack is back. */
export function refunded(model: Model, cycle: ModelCycle): void {
  if (cycle.status !== 'PAID' || cycle.backPaise < plans[cycle.plan].paise) return;
  cycle.status = 'REFUNDED';
  endPacks(model, cycle);
}

export const isRunning = (model: Model, cycle: ModelCycle) => gives(cycle) && covers(cycle, model.today);

/** The plan that gives access today. */
export function running(model: Model): ModelCycle | undefined {
  return model.cycles.find((cycle) => !cycle.adds && isRunning(model, cycle));
}

/** Has the plan of an unpaid pack ended? */
export const isLate = (model: Model, { adds }: ModelCycle): boolean => adds !== undefined && !isRunning(model, adds);

/** The price of some cycles together, in paise. */
export function priceOf(cycles: readonly ModelCycle[]): number {
  return cycles.reduce((sum, cycle) => sum + plans[cycle.plan].paise, 0);
}

/** The order of some cycles together; a different choice of cycles closes the earlier orders of each. */
export function ordered(cycles: ModelCycle[], id: string): { live: ModelOrder | undefined } {
  const live = cycles[0]?.orders.find((order) => !order.isClosed);
  if (live?.cycles.length === cycles.length && cycles.every((cycle) => live.cycles.includes(cycle))) return { live };
  const order: ModelOrder = { id, cycles, isTakenAtProvider: false, isClosed: false };
  for (const cycle of cycles) {
    for (const earlier of cycle.orders) earlier.isClosed = true;
    cycle.orders.push(order);
  }
  return { live: undefined };
}

/** What ending a cycle today does; undefined when there is nothing to end. */
export function ended(model: Model, cycle: ModelCycle): 'remove' | 'cancel' | 'deactivate' | undefined {
  if (cycle.status === 'PAYMENT_PENDING') {
    removed(cycle);
    return 'remove';
  }
  if (cycle.adds || !gives(cycle) || model.today >= cycle.from + cycle.days) return undefined;
  if (model.today >= cycle.from) {
    deactivated(model, cycle);
    return 'deactivate';
  }
  const { paise } = plans[cycle.plan];
  cycle.status = paise > 0 ? 'REFUNDED' : 'DEACTIVATED';
  giveBack(model, cycle, paise);
  return 'cancel';
}

/** A running plan ends. */
export function deactivated(model: Model, cycle: ModelCycle): void {
  cycle.status = 'DEACTIVATED';
  // Today counts as used; half a paisa is rounded up.
  const unused = cycle.from + cycle.days - model.today - 1;
  // No unit of the plan itself is left once one of its packs was taken.
  const worth = cycle.packUnitsTaken > 0 ? 0 : Math.round((plans[cycle.plan].paise * unused) / cycle.days);
  // Less than a rupee is not promised.
  const isPromised = Math.min(worth, leftOf(cycle)) >= 100;
  if (model.givesUnusedBack && isPromised) giveBack(model, cycle, worth);
  endPacks(model, cycle);
}

/** What was paid for a plan that has started is invoiced, unless all of it was refunded before. */
export function invoiced(model: Model, cycle: ModelCycle): void {
  const { paise } = plans[cycle.plan];
  const isPaid = cycle.status === 'PAID' || cycle.status === 'DEACTIVATED';
  if (!isPaid || cycle.invoicedPaise > 0 || cycle.from > model.today) return;
  cycle.invoicedPaise = paise - cycle.backPaise;
}

export const everyCycle = (model: Model) => [...model.cycles, ...model.formerCycles];

/** What of its price can still be refunded. */
export const leftOf = (cycle: ModelCycle) => leftOfPayment(cycle) + cycle.deductedPaise;

/** What of its payment has not gone back; negative once some of it was transferred in place of tax deducted at source. */
export const leftOfPayment = (cycle: ModelCycle) => plans[cycle.plan].paise - cycle.backPaise;

/** Refunds at most what is left. */
export function giveBack(model: Model, cycle: ModelCycle, paise: number): void {
  const given = Math.min(paise, leftOf(cycle));
  // A refund of a plan that has started needs its invoice first.
  if (given > 0) invoiced(model, cycle);
  cycle.backPaise += given;
  cycle.unpaidPaise += given;
  model.refundPaise += given;
  model.papersPaise += given;
}

export function deleted(model: Model): void {
  for (const cycle of model.cycles) if (!cycle.adds) ended(model, cycle);
  // Those of plans that ended on their date, which no round has removed yet.
  for (const pack of model.cycles) if (pack.adds && pack.status === 'PAYMENT_PENDING') removed(pack);
  model.formerCycles.push(...model.cycles);
  model.cycles = [];
  model.activationId = undefined;
}
