import type { z } from 'zod';
import type { ApiKey, KeyTerms } from '#shared/contract/api-keys.ts';
import type { RefusalCode } from '#shared/contract/refusals.ts';
import { addDays, type Day, dayOf, isDay, startOfDay } from '#shared/domain/day.ts';
import { termsTexts } from '#web/features/api-keys/texts.ts';

/** The limits of a key as form values. */
export type TermsDraft = {
  /** The last day on which the key works; '' for no end. */
  lastDay: string;
  /** Addresses and networks, one per line. */
  allowedIps: string;
  dailyCap: string;
};

export const noTerms: TermsDraft = { lastDay: '', allowedIps: '', dailyCap: '' };

/** Puts the terms of a key into a form. */
export function draftOf({ expiresAt, allowedIps, dailyCap }: Pick<ApiKey, keyof KeyTerms>): TermsDraft {
  return {
    // A key that ends at midnight works on the day before.
    lastDay: expiresAt === null ? '' : dayOf(Date.parse(expiresAt) - 1),
    allowedIps: allowedIps.join('\n'),
    dailyCap: dailyCap === null ? '' : String(dailyCap),
  };
}

/** The terms of a draft. A key works until the end of its last day in India. The contract rejects invalid days and numbers. */
export function termsOf({ lastDay, allowedIps, dailyCap }: TermsDraft): KeyTerms {
  const cap = dailyCap.trim();
  return {
    expiresAt: lastDay === '' ? null : isDay(lastDay) ? endOf(lastDay) : lastDay,
    allowedIps: allowedIps.split(/[\s,]+/).filter((part) => part !== ''),
    dailyCap: cap === '' ? null : /^\d+$/.test(cap) ? Number(cap) : Number.NaN,
  };
}

function endOf(day: Day): string {
  return new Date(startOfDay(addDays(day, 1))).toISOString();
}

/** How the fields of key terms map to the contract, with their messages. */
export const termsFields = {
  fieldOf: { expiresAt: 'lastDay' },
  wording: (field: string, { code }: Pick<z.core.$ZodIssue, 'code'>): string | undefined => {
    const { faults } = termsTexts;
    if (field === 'lastDay') return faults.lastDay;
    if (field === 'dailyCap') return faults.dailyCap;
    if (field === 'allowedIps') return code === 'too_big' ? faults.tooManyIps : faults.allowedIps;
    return undefined;
  },
} as const;

/** The contract accepts any time; in the form a past day is a mistake. */
export function pastFaultOf({ lastDay }: TermsDraft, today: Day): { lastDay?: string } {
  return lastDay !== '' && lastDay < today ? { lastDay: termsTexts.faults.lastDay } : {};
}

/** The field that a refusal is about. */
export function termsFieldOf(code: RefusalCode): keyof TermsDraft | undefined {
  if (code === 'key_end_past') return 'lastDay';
  return code === 'test_key_uncapped' ? 'dailyCap' : undefined;
}
