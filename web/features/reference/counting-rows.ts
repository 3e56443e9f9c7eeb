import { type CountingRule, countingOf, countingRules } from '#shared/domain/metering.ts';
import { translateKnown } from '#web/language/language.ts';
import { overviewTexts, tryTexts } from '#web/features/reference/texts.ts';

/** Whether responses with a status count, as shown in the table of errors. */
export function countingText(status: number): string {
  const counting = countingOf(status);
  if (counting === 'unless-gateway') return overviewTexts.unlessGateway;
  return counting === 'always' ? tryTexts.yes : tryTexts.no;
}

/** The table of metering as rows to be read: one status or a range, and why it does or does not count. */
export function countingRows(): { statuses: string; counted: boolean; reason: string }[] {
  return countingRules.map((rule, index) => ({
    statuses: statusesOf(rule, countingRules.slice(0, index)),
    counted: rule.counted,
    reason: translateKnown(rule.reason),
  }));
}

/** The first rule with a status applies, so a range has only the statuses not covered by earlier rules. */
function statusesOf({ from, to, replayed }: CountingRule, before: readonly CountingRule[]): string {
  if (replayed === true) return overviewTexts.replayed;
  if (from === to) return String(from);
  const hasLess = before.some((rule) => rule.replayed !== true && rule.from >= from && rule.to <= to);
  return hasLess ? overviewTexts.others(from, to) : overviewTexts.range(from, to);
}
