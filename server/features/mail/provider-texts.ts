import type { CycleDates } from '#shared/domain/cycle.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { longDay, minuteText, periodText } from '#shared/domain/day-text.ts';
import { type DocumentReference, titleOf } from '#shared/domain/document.ts';
import type { RenewsFrom } from '#shared/domain/event.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import type { Letter } from './letter.ts';
import { billingPage } from './texts.ts';

/** Mails about what the provider did. */

const timeText = (at: Date): string => `${longDay(dayOf(at.getTime()))}, ${minuteText(at)} IST`;

export function keyRevoked(revoked: {
  keyName: string;
  hint: string;
  activationId: string;
  reason: string;
  at: Date;
}): Letter {
  return {
    subject: `We revoked your API key ${revoked.keyName}`,
    paragraphs: [
      `We revoked your API key ${revoked.keyName}, which ends with ${revoked.hint}. Calls with it are refused. Your plan and its quota are not affected.`,
      'Please generate a new key and use it in your programs. If the old key stands in a repository or a log, remove it there.',
    ],
    facts: [
      ['Reason', revoked.reason],
      ['Time', timeText(revoked.at)],
      ['Activation', revoked.activationId],
    ],
    link: { label: 'Open your API keys', path: `/api/${revoked.activationId}?tab=keys` },
  };
}

export function accountBlocked({ reason, at }: { reason: string; at: Date }): Letter {
  return {
    subject: 'We blocked your account',
    paragraphs: [
      'We blocked your account. Calls with your API keys are refused, and you can’t buy or pay for anything until we take the block away.',
      'Your plans, keys, invoices and data stay as they are; the days of running plans go by. You can still sign in, download your documents and write to support.',
    ],
    facts: [
      ['Reason', reason],
      ['Time', timeText(at)],
    ],
    link: { label: 'Open your account', path: '/account' },
  };
}

export function accountUnblocked({ reason, at, since }: { reason: string; at: Date; since: Date }): Letter {
  return {
    subject: 'Your account is no longer blocked',
    paragraphs: ['We took the block of your account away. Your API keys and plans work again as before.'],
    facts: [
      ['Reason', reason],
      ['Blocked since', timeText(since)],
      ['Time', timeText(at)],
    ],
    link: { label: 'Open your account', path: '/account' },
  };
}

export function planGranted(
  plan: { productName: string; planName: string; activationId: string },
  { dates, reason, ...renewal }: { dates: CycleDates; reason: string } & RenewsFrom,
): Letter {
  return {
    subject: `We granted you the plan ${plan.planName} of ${plan.productName}`,
    paragraphs: [
      `We granted you the plan ${plan.planName} of ${plan.productName}. There is nothing to pay, and no invoice. It ends by itself${renewal.renewsFrom === undefined ? '; nothing is charged then' : ''}.`,
      ...renewalText(renewal),
    ],
    facts: [
      ['Reason', reason],
      ['Days', periodText(dates)],
    ],
    link: { label: 'Open your subscriptions', path: billingPage(plan) },
  };
}

function renewalText({ renewsFrom: from, debitPaise = null }: RenewsFrom): string[] {
  if (from === undefined) return [];
  return [
    debitPaise === null
      ? `Your paid plan renews automatically from ${longDay(from)} on. We write to you before we ask your bank.`
      : `Your bank was already asked for ${formatRupees(debitPaise)} to renew your paid plan. That debit pays for the period from ${longDay(from)} on.`,
  ];
}

export function planWithdrawn(
  plan: { productName: string; planName: string; activationId: string },
  { dates, reason, ...renewal }: { dates: CycleDates; reason: string } & RenewsFrom,
): Letter {
  return {
    subject: `We ended the granted plan ${plan.planName} of ${plan.productName}`,
    paragraphs: [
      `We ended the plan ${plan.planName} of ${plan.productName} that we had granted you, before its days were over. Calls are refused unless another plan runs. Nothing is charged.`,
      ...renewalText(renewal),
    ],
    facts: [
      ['Reason', reason],
      ['Days it was granted for', periodText(dates)],
    ],
    link: { label: 'Open your subscriptions', path: billingPage(plan) },
  };
}

export function quotaRaised(
  plan: { productName: string; planName: string; activationId: string },
  { units, raised, reason }: { units: number; raised: number; reason: string },
): Letter {
  const change = `${units > 0 ? 'raised' : 'lowered'} the quota of your plan ${plan.planName} by ${formatNumber(Math.abs(units))}`;
  return {
    subject: `We ${change}`,
    paragraphs: [
      `We ${change}, for each day and for all its days together. Altogether it has ${formatNumber(raised)} more than was sold, until the plan ends.`,
    ],
    facts: [
      ['Product', plan.productName],
      ['Reason', reason],
    ],
    link: { label: 'Open your usage', path: `/api/${plan.activationId}` },
  };
}

export function rateSet(
  productName: string,
  { activationId, callsPerSecond, reason }: { activationId: string; callsPerSecond: number | null; reason: string },
): Letter {
  return {
    subject: `We changed your calls per second of ${productName}`,
    paragraphs: [
      callsPerSecond === null
        ? `Your calls per second of ${productName} are again those of your plan.`
        : `You have ${formatNumber(callsPerSecond)} calls per second of ${productName} from now on, whatever your plan says. Its quotas stay as they are.`,
    ],
    facts: [['Reason', reason]],
    link: { label: 'Open your usage', path: `/api/${activationId}` },
  };
}

/** Documents that an operator mails again, to the customer or to somebody the customer named. */
export function documentsSent(documents: readonly DocumentReference[]): Letter {
  const names = documents.map((document) => `${titleOf(document)} ${document.number}`);
  return {
    subject: names.length === 1 ? `${names.join('')} again` : `Your ${names.length} documents again`,
    paragraphs: [
      'As you asked, here are the documents again. They are the same as before, and nothing needs to be paid or done.',
    ],
    facts: documents.map((document): [string, string] => [
      titleOf(document),
      `${document.number}, ${longDay(document.issuedOn)}`,
    ]),
  };
}

/** What is deprecated: `product`, `v1` or `GET /v1/shops/{id}`. */
function deprecatedPart(productName: string, what: string): string {
  if (what === 'product') return productName;
  return what.startsWith('v') ? `Version ${what} of ${productName}` : `${what} of ${productName}`;
}

export function apiDeprecated(
  productName: string,
  deprecated: { productId: string; what: string; since: Day; sunset: Day | null; note: string; link: string | null },
): Letter {
  const { what, since, sunset, note, link } = deprecated;
  const part = deprecatedPart(productName, what);
  return {
    subject: `${part} is deprecated${sunset === null ? '' : ` and may end on ${longDay(sunset)}`}`,
    paragraphs: [
      `${part} is deprecated since ${longDay(since)}. It works as before${sunset === null ? '' : `, but may stop on ${longDay(sunset)}`}. You get this mail once, because you hold a key for it.`,
      note,
      'Please change your programs in time. Every response that is concerned says so in its Deprecation header.',
    ],
    facts: [
      ['Deprecated', part],
      ['Since', longDay(since)],
      ...(sunset === null ? [] : [['May end on', longDay(sunset)] satisfies [string, string]]),
      ...(link === null ? [] : [['More', link] satisfies [string, string]]),
    ],
    link: { label: 'Open the reference', path: `/reference/${deprecated.productId}` },
  };
}
