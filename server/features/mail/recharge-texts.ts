import { istTime } from '#shared/domain/day.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import type { NoRecharge } from '#shared/domain/recharge.ts';
import type { Letter } from './letter.ts';
import { asGiven, billingPage, named, type PlanNamed, toPay, whoMayPay } from './texts.ts';

interface Mandate {
  activationId: string;
  planName: string;
}

/** To the minute. */
const timeText = (at: Date): string => `${istTime(at).slice(0, 16)} IST`;
const packText = (packName: string, units: number): string => `${packName} (${formatNumber(units)} units)`;

export function rechargeAgreed(
  agreed: Mandate & { packName: string; units: number; pricePaise: number; monthlyPaise: number; agreedBy: string },
): Letter {
  const pack = packText(agreed.packName, agreed.units);
  return {
    subject: `Recharges automatically: ${agreed.planName} plan`,
    paragraphs: [
      `We now debit ${pack} when the units of your ${agreed.planName} plan are about to run out before its days do: at most ${formatRupees(agreed.monthlyPaise)} in a calendar month, GST included. We write to you a day before we ask your bank for a debit, and you can skip it then.`,
      'A debit takes up to two days. When units run out sooner than that, we tell you, and debit nothing.',
      'You can change this or turn it off at any time on the page of your plan. It costs nothing.',
    ],
    facts: [
      ['Plan', agreed.planName],
      ['Pack', `${pack}, ${formatRupees(agreed.pricePaise)} today`],
      ['At most', `${formatRupees(agreed.monthlyPaise)} per calendar month`],
      ['Agreed to by', agreed.agreedBy],
    ],
    link: { label: 'See or change it', path: billingPage(agreed) },
  };
}

export function rechargeEnded(mandate: Mandate): Letter {
  return {
    subject: `No longer recharges automatically: ${mandate.planName} plan`,
    paragraphs: [
      `You turned recharges of your ${mandate.planName} plan off. We debit no further pack. If your bank still makes a debit that was asked for already, you get it back.`,
      'Your plan still renews automatically, unless you turn that off too.',
    ],
    facts: [['Plan', mandate.planName]],
    link: { label: 'Open your plan', path: billingPage(mandate) },
  };
}

export function rechargeAnnounced(
  plan: PlanNamed,
  recharge: {
    packName: string;
    units: number;
    amountPaise: number;
    quotaUnits: number;
    endsAt: Date;
    askFrom: Date;
    pinEachTime: boolean;
  },
): Letter {
  const amount = formatRupees(recharge.amountPaise);
  return {
    subject: `Recharges soon: ${amount} for ${named(plan)}`,
    paragraphs: [
      `If you go on as in the last days, the units of your plan run out around ${timeText(recharge.endsAt)}. From ${timeText(recharge.askFrom)} on we ask your bank for ${amount}, and your bank debits it a day or two later. If you use less by then, we wait.`,
      ...(recharge.pinEachTime ? ['Your UPI app asks for your PIN for each debit.'] : []),
      'If you don’t want this debit, skip it before then. You can also turn recharges off.',
    ],
    facts: [
      ['Plan', named(plan)],
      ['Pack', packText(recharge.packName, recharge.units)],
      ['Amount', `${amount}, GST included`],
      ['Debited from', timeText(recharge.askFrom)],
    ],
    link: { label: 'Skip this debit', path: `${billingPage(plan)}?skipRecharge=${recharge.quotaUnits}` },
  };
}

/** `null`: it is not told by this mail. */
const withheldBecause: Record<NoRecharge, string | null> = {
  off: null,
  blocked: null,
  other_plan: null,
  skipped: null,
  no_answer: null,
  by_transfer: 'You asked to pay for a pack by bank transfer, which has not come yet.',
  replaced:
    'You changed recharges or ordered a pack after we had asked your bank. If your bank still makes that debit, you get it back.',
  suspended: 'We don’t debit automatically at the moment.',
  disputed: 'Your bank disputes an earlier payment.',
  paused: 'You paused the mandate in your UPI app or at your bank.',
  withdrawn: 'The pack is not sold any more. Choose another one on the page of your plan.',
  dearer: 'The pack now costs more than one debit may take.',
  monthly_ceiling:
    'It would be above what you agreed to for a calendar month. You can raise that on the page of your plan.',
  expires: 'The time for which you agreed to debits ends before it.',
  renewal_first:
    'The renewal of your plan is debited in these days, and goes first: your bank takes one debit at a time.',
  asked_before: 'We asked your bank for them before, and don’t ask again. What it debited, if anything, you get back.',
  too_soon: 'They run out sooner than your bank could answer: a debit takes up to two days.',
  changed: 'The pack is not sold as it was any more.',
  gstin_not_active: 'The GST portal says that the GSTIN of your business profile is not active.',
  gstin_unknown: 'The GST portal does not know the GSTIN of your business profile.',
  sez_not_confirmed:
    'The GST portal does not confirm that you are in a special economic zone, as your business profile says.',
  too_many_unpaid: 'Too many of your subscriptions wait for their payment. Pay for them or remove some.',
  not_possible: 'We can’t sell the pack right now. The fault is ours.',
  not_in_time: 'Your bank could not be asked in time.',
};

export function rechargeWithheld(plan: PlanNamed, recharge: { reason: NoRecharge; endsAt: Date }): Letter {
  if (recharge.reason === 'no_answer')
    return {
      subject: `No answer from your bank: ${named(plan)}`,
      paragraphs: [
        'We asked your bank two days ago for the debit of a pack, and it has not answered. Don’t wait for it: recharge on the page of your plan if you need more units.',
        'If your bank makes the debit after that, you get it back; if you don’t recharge, a debit that still comes adds its units while your plan runs for another day.',
      ],
      facts: [['Plan', named(plan)]],
      link: { label: 'Recharge now', path: `${billingPage(plan)}?recharge=` },
    };
  const why = withheldBecause[recharge.reason];
  return {
    subject: `Units run out, no automatic recharge: ${named(plan)}`,
    paragraphs: [
      `If you go on as now, the units of your plan run out around ${timeText(recharge.endsAt)}, and we don’t debit a pack.${why === null ? '' : ` ${why}`}`,
      'To go on without interruption, recharge on the page of your plan: what you pay there is added at once.',
    ],
    facts: [['Plan', named(plan)]],
    link: { label: 'Recharge now', path: `${billingPage(plan)}?recharge=` },
  };
}

export function rechargeFailed(
  pack: PlanNamed,
  failed: { amountPaise: number; reason: string | null; isSkipped?: true; isMoot?: true },
  payPath: string | undefined,
): Letter {
  const amount = formatRupees(failed.amountPaise);
  return {
    subject: failed.isSkipped ? `Recharge skipped: ${named(pack)}` : `Recharge not paid: ${named(pack)}`,
    paragraphs: [
      failed.isSkipped
        ? `You skipped the debit of ${amount} for more units at your bank. You have not been charged.`
        : `The debit of ${amount} for more units did not go through${asGiven(failed.reason)}. You have not been charged.`,
      failed.isMoot
        ? 'There is nothing to do: another pack was paid since, or the plan has ended.'
        : `We don’t ask again for these units. To go on without interruption, pay for the pack now: its units are added at once.${whoMayPay(payPath)}`,
    ],
    facts: [['Pack', named(pack)]],
    link: failed.isMoot ? { label: 'Open your plan', path: billingPage(pack) } : toPay(pack, payPath),
  };
}
