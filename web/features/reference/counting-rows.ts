import { type CountingRule, countingRules } from '#domain/metering.ts';
import { translateKnown } from '#web/language/language.ts';
import { overviewTexts } from '#web/features/reference/texts.ts';

/** Answered by the gateway before the product is asked (docs/products.md); these never count. */
export const refusedByGateway: ReadonlySet<number> = new Set([401, 402, 403, 429]);

/** The table of metering as rows to be read: one status or a range, and why it does or does not count. */
export function countingRows(): { statuses: string; counted: boolean; reason: string }[] {
  return countingRules.map((rule, index) => ({
    statuses: statusesOf(rule, countingRules.slice(0, index)),
    counted: rule.counted,
    reason: translateKnown(rule.reason),
  }));
}

/** The first rule that names a status decides, so a range has only what the rules before it have left. */
function statusesOf({ from, to, replayed }: CountingRule, before: readonly CountingRule[]): string {
  if (replayed === true) return overviewTexts.replayed;
  if (from === to) return String(from);
  const hasLess = before.some((rule) => rule.replayed !== true && rule.from >= from && rule.to <= to);
  return hasLess ? overviewTexts.others(from, to) : overviewTexts.range(from, to);
}
