import type { ApiKey, KeyTerms } from '#contract/api-keys.ts';
import { allowedIpSchema } from '#contract/api-keys.ts';
import { maxAllowedIps } from '#domain/api-key.ts';
import { addDays, type Day, dayOf, isDay, startOfDay } from '#domain/day.ts';

/** The terms of a key as they stand in a form. */
export interface TermsDraft {
  /** The last day on which the key works; '' for no end. */
  lastDay: string;
  /** Addresses and networks, one a line. */
  allowedIps: string;
  dailyCap: string;
}

export const noTerms: TermsDraft = { lastDay: '', allowedIps: '', dailyCap: '' };

/** Which part of a draft cannot be. */
export type TermsFault = 'lastDay' | 'allowedIps' | 'tooManyIps' | 'dailyCap';

/** Puts the terms of a key into a form. */
export function draftOf({ expiresAt, allowedIps, dailyCap }: Pick<ApiKey, keyof KeyTerms>): TermsDraft {
  return {
    // A key that ends at midnight works on the day before.
    lastDay: expiresAt === null ? '' : dayOf(Date.parse(expiresAt) - 1),
    allowedIps: allowedIps.join('\n'),
    dailyCap: dailyCap === null ? '' : String(dailyCap),
  };
}

/** What a draft means, or what is wrong with it. A key works until the end of its last day in India. */
export function termsOf(draft: TermsDraft, today: Day): { terms: KeyTerms } | { fault: TermsFault } {
  if (draft.lastDay !== '' && (!isDay(draft.lastDay) || draft.lastDay < today)) return { fault: 'lastDay' };
  const allowedIps = draft.allowedIps.split(/[\s,]+/).filter((part) => part !== '');
  if (allowedIps.some((part) => !allowedIpSchema.safeParse(part).success)) return { fault: 'allowedIps' };
  if (allowedIps.length > maxAllowedIps) return { fault: 'tooManyIps' };
  const cap = draft.dailyCap.trim();
  if (cap !== '' && !/^[1-9]\d{0,8}$/.test(cap)) return { fault: 'dailyCap' };
  return {
    terms: {
      expiresAt: draft.lastDay === '' ? null : new Date(startOfDay(addDays(draft.lastDay, 1))).toISOString(),
      allowedIps,
      dailyCap: cap === '' ? null : Number(cap),
    },
  };
}
