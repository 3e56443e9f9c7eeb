import { type Day, dayOf } from '#shared/domain/day.ts';
import { longDay, minuteText } from '#shared/domain/day-text.ts';
import type { DocumentReference } from '#shared/domain/document.ts';
import { formatRupees } from '#shared/domain/money.ts';
import type { Letter } from './letter.ts';

/** Mails about the erasure of an account. */

interface Sender {
  customerId: string;
  name: string;
  email: string;
}

const timeText = (at: Date): string => `${longDay(dayOf(at.getTime()))}, ${minuteText(at)} IST`;

const factsOf = ({ customerId, name, email }: Sender, at: Date): [string, string][] => [
  ['From', `${name} <${email}>`],
  ['Customer', customerId],
  ['Time', timeText(at)],
];

export function erasureAsked({ requestId, at }: { requestId: string; at: Date }, from: Sender): Letter {
  return {
    subject: `${requestId}: ${from.name} asks to be erased`,
    paragraphs: [
      'A customer asks that their personal data be erased (DPDP Act 2023, section 12).',
      `To see what that would erase and what the law requires you to keep: octroi customers erase ${from.customerId} --reason "Asked by the customer" --dry-run`,
    ],
    facts: factsOf(from, at),
  };
}

export function erasureWithdrawn({ requestId, at }: { requestId: string; at: Date }, from: Sender): Letter {
  return {
    subject: `${requestId}: ${from.name} no longer asks to be erased`,
    paragraphs: ['The customer took the request for erasure back. You don’t need to do anything.'],
    facts: factsOf(from, at),
  };
}

interface Erasure {
  reason: string;
  at: Date;
  keptUntil: Day | null;
  refundPaise: number;
  documents: readonly DocumentReference[];
}

export function accountErased({ reason, at, keptUntil, refundPaise, documents }: Erasure): Letter {
  return {
    subject: 'We erased your account',
    paragraphs: [
      'We erased your account. Your API keys no longer work, you are signed out everywhere, and plans that were running have ended.',
      ...(refundPaise > 0
        ? [
            `We refund ${formatRupees(refundPaise)} for what was left of them, the way you paid. ${documents.length > 0 ? `${documents.map(({ number }) => number).join(', ')} is attached. ` : ''}This is the only mail about it.`,
          ]
        : []),
      keptUntil === null
        ? 'We keep nothing that names you.'
        : `We keep only what tax and company law require: invoices and the records behind them, at least until ${longDay(keptUntil)}.`,
      'If you sign in again, you start with a new account. This mail goes only to you; we delete our copy of it too.',
    ],
    facts: [
      ['Reason', reason],
      ['Time', timeText(at)],
    ],
  };
}
