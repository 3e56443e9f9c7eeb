import { hasReachedThreshold } from '#shared/domain/quota-thresholds.ts';
import { uiTexts } from '#web/ui/texts.ts';

/** How near a quota is to its end: calm below 60 %, warn from 60 %, danger from 80 % (product §7.2). */
export type QuotaLevel = 'calm' | 'warn' | 'danger';

/** The level of a use. A quota of nothing (no plan) is calm. */
export function quotaLevel(used: number, limit: number): QuotaLevel {
  if (hasReachedThreshold(used, limit, 80)) return 'danger';
  return hasReachedThreshold(used, limit, 60) ? 'warn' : 'calm';
}

/** The share used in percent, at most 100, cut to one decimal so that 79.96 never reads as 80. */
export function quotaPercent(used: number, limit: number): number {
  if (limit <= 0) return 0;
  return Math.min(100, Math.floor((used * 1000) / limit) / 10);
}

/** The share used as every page writes it: "82.7%". */
export function quotaShare(used: number, limit: number): string {
  return `${quotaPercent(used, limit)}%`;
}

/** A quota of one day, or of a plan's period: that of 28 to 31 days is called monthly. */
export type QuotaSpan = 'daily' | { days: number };

function wordsOf<Words>(
  span: QuotaSpan,
  words: { daily: Words; monthly: Words; days: (days: number) => Words },
): Words {
  if (span === 'daily') return words.daily;
  return span.days >= 28 && span.days <= 31 ? words.monthly : words.days(span.days);
}

/** "Daily quota", "Monthly quota", "14-day quota". */
export function quotaName(span: QuotaSpan): string {
  return wordsOf(span, uiTexts.quotas);
}

/** The warning of a quota, or undefined (product §7.2). */
export function quotaWarning(span: QuotaSpan, level: QuotaLevel): string | undefined {
  if (level === 'danger') return uiTexts.exceeded80;
  return level === 'warn' ? wordsOf(span, uiTexts.exceeded60) : undefined;
}
