import type { Tds } from '#shared/contract/tds.ts';
import classes from '#web/features/tds/tds.module.css';
import { tdsTexts as texts } from '#web/features/tds/texts.ts';
import { moneyText } from '#web/ui/money-text.ts';

/** The state of a claim about TDS, or that it is owed, below the status of its subscription. */
export function TdsNote({ tds }: { tds: Tds | null }) {
  const claim = tds?.claim;
  if (!claim) {
    if (tds?.isWithheld !== true) return null;
    return <span className={`${classes.note} num`}>{texts.withheld(moneyText(tds.maxAmount))}</span>;
  }
  return <span className={`${classes.note} num`}>{texts.note[claim.status](moneyText(claim.amount))}</span>;
}
