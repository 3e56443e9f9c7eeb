import type { ProviderAction } from '#shared/contract/account.ts';
import classes from '#web/features/account/account-page.module.css';
import { providerActionTexts as texts } from '#web/features/account/texts.ts';
import { instantText } from '#web/ui/localized-days.ts';

/** What the provider's operators did in this account, and why; nothing when they did nothing. */
export function ProviderActions({ actions }: { actions: readonly ProviderAction[] }) {
  if (actions.length === 0) return null;
  return (
    <section>
      <p className="soft">{texts.lead}</p>
      <ul className={classes.actionsTaken}>
        {actions.map(({ position, at, action, target, reason, by }) => (
          <li key={position}>
            <div className="strong">{texts.kinds(action)}</div>
            <div>{reason}</div>
            <div className="caption soft">
              <time dateTime={at}>{instantText(at)}</time> · {by ?? target}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
