import fc from 'fast-check';
import { allowTerms } from './credit-acts.ts';
import { billing, checkout, linking, run, which } from './credit-draws.ts';
import { agreeTo, buyByHand, daysOfUse, skipPack, turnRechargeOff, useToday } from './recharge-acts.ts';
import {
  add,
  block,
  end,
  endByOperator,
  extend,
  goBeforeEnd,
  grant,
  gstin,
  inApp,
  meanwhile,
  ordinaryDay,
  renewalsAre,
  restoreIt,
  sell,
  skip,
  startOver,
  step,
  stopSelling,
  switchTo,
  takeBackup,
  turnOff,
  wait,
  withdraw,
} from './renewal-acts.ts';
import { type Act, everyStep, type StepName } from './renewal-life.ts';
import {
  bank,
  decide,
  decideDispute,
  dispute,
  pay,
  refundByOperator,
  refundOnDashboard,
  tell,
} from './renewal-payments.ts';
import { answerHeld, askForTransfer, becomeBusiness, credit, declareTds, giveBack, record } from './transfer-acts.ts';

const from = fc.constantFrom('webhook' as const, 'list' as const);
const plan = fc.constantFrom('growth', 'growth', 'growth', 'starter');
const debitResult = fc.constantFrom(
  'success',
  'insufficient_funds',
  'pending',
  'late-authorisation',
  'payment_cancelled',
);
const workStep = fc.constantFrom<StepName>('renewals', 'renewals', 'debits', 'debits', 'orders', ...everyStep);

/** Time goes by and workers work, with kills in between. */
const progress = [
  ...Array.from({ length: 10 }, () => fc.constant(ordinaryDay())),
  ...Array.from({ length: 8 }, () => fc.tuple(workStep, run).map(([name, how]) => step(name, how))),
  ...Array.from({ length: 4 }, () => fc.constantFrom(0.2, 0.5, 1, 1.1, 2).map(wait)),
  fc.constantFrom(6, 5, 4, 3, 2, 0).map(goBeforeEnd),
];

/** The renewal may go on after it. */
const passing = [
  fc.boolean().map(skip),
  fc.boolean().map(skip),
  fc.tuple(plan, fc.constantFrom(0, 0, 10)).map(([id, inDays]) => add(id, inDays)),
  fc.tuple(plan, fc.constantFrom(0, 0, 10)).map(([id, inDays]) => add(id, inDays)),
  fc.tuple(which, checkout).map(([index, how]) => pay(index, how)),
  fc.tuple(which, checkout).map(([index, how]) => pay(index, how)),
  ...Array.from({ length: 4 }, () =>
    fc
      .tuple(which, fc.constantFrom('authorize' as const, 'authorize' as const, 'fail' as const, 'skip' as const))
      .map(([index, how]) => decide(index, how)),
  ),
  ...Array.from({ length: 4 }, () =>
    fc.array(debitResult, { minLength: 1, maxLength: 3 }).map((results) => bank(...results)),
  ),
  fc.constantFrom('pause' as const, 'resume' as const, 'resume' as const).map(inApp),
  fc
    .tuple(which, fc.constantFrom(10, 50), fc.oneof(from, fc.constant('nothing' as const)))
    .map(([index, share, how]) => refundOnDashboard(index, share, how)),
  fc.tuple(which, fc.constantFrom(100, 700)).map(([index, amount]) => refundByOperator(index, amount)),
  fc
    .tuple(which, fc.constantFrom('open' as const, 'won' as const), from)
    .map(([index, status, how]) => dispute(index, status, how)),
  fc.constantFrom('won' as const, 'won' as const, 'lost' as const).map(decideDispute),
  fc.constantFrom('as at first' as const, 'a little dearer' as const, 'above the ceiling' as const).map(sell),
  fc.constantFrom('as at first' as const, 'a little dearer' as const).map(sell),
  fc.constant(stopSelling()),
  fc
    .tuple(fc.constantFrom('starter', 'growth'), fc.constantFrom(0, 0, 3), fc.constantFrom(1, 10))
    .map(([id, inDays, days]) => grant(id, inDays, days)),
  ...Array.from({ length: 2 }, () => fc.constantFrom(1, 1, 3, 10).map(extend)),
  fc.constant(withdraw()),
  fc.constantFrom(true, true, false).map(renewalsAre),
  fc.constantFrom(false, false, true).map(gstin),
  fc.constantFrom(false, false, true).map(block),
  which.map(tell),
];

/** The renewal ends with it, mostly. */
const ending = [
  fc.constant(turnOff()),
  which.map(end),
  which.map(end),
  fc.constantFrom('starter', 'scale', 'growth').map(switchTo),
  fc.constant(inApp('cancel')),
  fc.constant(endByOperator()),
  which.map((index) => refundByOperator(index, undefined)),
  fc
    .tuple(which, fc.oneof(from, fc.constant('nothing' as const)))
    .map(([index, how]) => refundOnDashboard(index, 100, how)),
  fc.tuple(which, from).map(([index, how]) => dispute(index, 'lost', how)),
  fc.constantFrom(true, true, false).map(startOver),
  fc.constant(startOver(true)),
];

/** Of a bill that is paid by bank transfer. */
const transferring = [
  fc.tuple(plan, fc.constantFrom(0, 0, 10)).map(([id, inDays]) => add(id, inDays)),
  ...Array.from({ length: 3 }, () => which.map(askForTransfer)),
  ...Array.from({ length: 4 }, () =>
    fc
      .tuple(
        which,
        fc.record({ paise: fc.constantFrom(0, 0, 0, 0, -100, 100), percent: fc.constantFrom(0, 0, 10, 2) }),
        fc.constantFrom('webhook' as const, 'nothing' as const),
      )
      .map(([index, off, how]) => credit(index, off, how)),
  ),
  fc.constant(becomeBusiness()),
  ...Array.from({ length: 2 }, () =>
    fc
      .tuple(
        which,
        fc.constantFrom(undefined, undefined, 10_000, 140_000),
        fc.constantFrom('none' as const, 'none' as const, 'before' as const, 'after' as const),
      )
      .map(([index, paise, proof]) => giveBack(index, paise, proof)),
  ),
  ...Array.from({ length: 2 }, () => fc.constantFrom(null, 10 as const, 2 as const).map(declareTds)),
  ...Array.from({ length: 2 }, () =>
    fc.constantFrom('settleTransfer' as const, 'settleTransfer' as const, 'refundTransfer' as const).map(answerHeld),
  ),
  fc
    .tuple(which, fc.constantFrom(0, 0, 10, 3), fc.constantFrom(true, true, false))
    .map(([index, percent, isNew]) => record(index, percent, isNew)),
  ...Array.from({ length: 3 }, () =>
    fc.tuple(fc.constantFrom<StepName>('account', 'account', 'refunds'), run).map(([name, how]) => step(name, how)),
  ),
  which.map(tell),
];

const restoring = [fc.constant(takeBackup()), fc.constant(takeBackup()), fc.constant(restoreIt())];

const atOnce = Array.from({ length: 6 }, () =>
  fc
    .tuple(fc.oneof(...passing, ...transferring, ...billing, ...linking, ...ending), workStep)
    .map(([each, work]) => meanwhile(each, work)),
);

const pack = fc.constantFrom('extra' as const, 'extra' as const, 'twin' as const);
const share = fc.constantFrom(0.1, 0.1, 0.1, 0.05, 0.3);

/** Units are used, and packs debited for more of them. */
const recharging = [
  ...Array.from({ length: 8 }, () => fc.tuple(fc.constantFrom(1, 1, 2, 7), share).map(([n, of]) => daysOfUse(n, of))),
  ...Array.from({ length: 2 }, () => share.map(useToday)),
  fc.constantFrom(99, 198, 250, 1000).map((most) => agreeTo('extra', most)),
  ...Array.from({ length: 2 }, () =>
    fc
      .tuple(pack, fc.constantFrom('success' as const, 'pending' as const, 'failed' as const, 'not paid' as const))
      .map(([of, outcome]) => buyByHand(of, outcome)),
  ),
  ...Array.from({ length: 4 }, () =>
    fc.tuple(fc.constantFrom<StepName>('recharges', 'debits'), run).map(([name, how]) => step(name, how)),
  ),
];

const rechargingAtOnce = Array.from({ length: 3 }, () =>
  fc
    .tuple(fc.oneof(...recharging), fc.constantFrom<StepName>('recharges', 'debits', 'orders', 'renewals'))
    .map(([each, work]) => meanwhile(each, work)),
);

/** The acts of a life, as often as fast-check is to draw each, and when it begins. */
export interface Mix {
  daysBefore: number;
  /** Played before them. */
  first?: Act;
  acts: fc.Arbitrary<Act>[];
}

/** Recharges mostly. */
export const ofRecharges: Mix = {
  daysBefore: 24,
  acts: [
    ...Array.from({ length: 8 }, () => recharging).flat(),
    ...rechargingAtOnce,
    ...Array.from({ length: 3 }, () => fc.constantFrom(120, 240, 1000).map((most) => agreeTo('twin', most))),
    ...Array.from({ length: 3 }, () => fc.constant(turnRechargeOff())),
    ...Array.from({ length: 3 }, () => fc.constant(skipPack())),
    ...Array.from({ length: 12 }, () => fc.oneof(...passing)),
    ...Array.from({ length: 8 }, () => fc.tuple(workStep, run).map(([name, how]) => step(name, how))),
    ...Array.from({ length: 3 }, () => fc.constantFrom(0.2, 0.5, 1.1).map(wait)),
    ...restoring,
    fc.constant(turnOff()),
    fc.constant(inApp('cancel')),
    fc.constant(startOver(true)),
  ],
};

const terms = allowTerms(5000, 10, 2);

/** Renewals mostly, or bank transfers, or what is sold on credit terms. */
export const mixes: readonly Mix[] = [
  {
    daysBefore: 6,
    acts: [
      ...Array.from({ length: 8 }, () => progress).flat(),
      ...passing,
      ...transferring,
      ...billing,
      ...linking,
      ...ending,
      ...restoring,
      ...atOnce,
    ],
  },
  {
    daysBefore: 6,
    acts: [
      ...progress,
      ...billing,
      ...linking,
      ...Array.from({ length: 5 }, () => transferring).flat(),
      ...passing,
      ...ending,
      ...restoring,
      ...atOnce,
    ],
  },
  {
    daysBefore: 6,
    first: terms,
    acts: [
      ...Array.from({ length: 4 }, () => progress).flat(),
      ...Array.from({ length: 3 }, () => billing).flat(),
      ...Array.from({ length: 2 }, () => linking).flat(),
      ...transferring,
      ...passing,
      ...ending,
      ...restoring,
      ...atOnce,
    ],
  },
  {
    // So that packs are recharged beside.
    daysBefore: 24,
    first: terms,
    acts: [
      ...progress,
      ...Array.from({ length: 3 }, () => billing).flat(),
      ...linking,
      ...Array.from({ length: 3 }, () => recharging).flat(),
      ...transferring,
      ...passing,
      ...restoring,
      ...atOnce,
    ],
  },
];
