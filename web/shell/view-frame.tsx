import { Button, Tooltip } from '@mantine/core';
import { Eye, EyeOff } from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect } from 'react';
import { readView } from '#shared/contract/operator/view.ts';
import { useCall } from '#web/api/use-call.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { useSession } from '#web/session/session.ts';
import { leave } from '#web/shell/leave.ts';
import classes from '#web/shell/view-frame.module.css';
import { viewTexts as texts } from '#web/shell/view-texts.ts';
import { timeText } from '#web/ui/localized-days.ts';
import { ReadOnly } from '#web/ui/read-only.ts';
import { EmptyState, StateCard } from '#web/ui/states.tsx';

/** How soon a page that reads nothing learns that the view is over. */
const refetchIntervalMs = 15_000;

/** Around all pages of a tab in which an operator sees the portal as its customer (decision 068). */
export function ViewFrame({ children }: { children: ReactNode }) {
  useLanguage();
  const { token } = useSession();
  if (token === null) return <Over />;
  return (
    <>
      <Bar />
      <ReadOnly value={forCustomerAlone}>{children}</ReadOnly>
    </>
  );
}

const howSeen = { hover: true, focus: true, touch: true };

const forCustomerAlone = (button: ReactElement) => (
  <Tooltip label={texts.onlyCustomer} events={howSeen}>
    {button}
  </Tooltip>
);

function Bar() {
  const view = useCall(readView, {}, { refetchIntervalMs });
  const { customer = '', operator = '', until } = view.data ?? {};
  const { refetch } = view;
  useEffect(() => {
    if (until === undefined) return undefined;
    // The response ends the view here too.
    const timer = setTimeout(() => void refetch(), Math.max(0, Date.parse(until) - Date.now()) + 1000);
    return () => clearTimeout(timer);
  }, [until, refetch]);
  return (
    <aside className={classes['bar']} aria-label={texts.bar}>
      <Eye size={18} aria-hidden="true" />
      <span className={classes['words']}>
        <strong>{texts.whose(customer)}</strong>
        {until === undefined ? null : <span>{texts.by(operator, timeText(until))}</span>}
      </span>
      <Button size="xs" variant="default" onClick={() => void leave()}>
        {texts.end}
      </Button>
    </aside>
  );
}

function Over() {
  return (
    <main className={classes['over']}>
      <StateCard>
        <EmptyState
          icon={<EyeOff size={20} />}
          title={texts.over}
          action={
            <Button component="a" href="/operator" variant="default">
              {texts.console}
            </Button>
          }
        >
          {texts.overMore}
        </EmptyState>
      </StateCard>
    </main>
  );
}
