import { Button } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { listRequestAlerts, type RequestAlert } from '#shared/contract/request-log.ts';
import { formatPercent } from '#shared/domain/number-text.ts';
import { useCall } from '#web/api/use-call.ts';
import { problemTitle } from '#web/features/request-log/problem-text.ts';
import { problemTexts as texts } from '#web/features/request-log/problem-texts.ts';
import classes from '#web/features/request-log/request-alerts.module.css';
import { timeText } from '#web/ui/localized-days.ts';

/** The filter that shows the calls of an alert. */
export interface AlertFilter {
  q: string;
  key: string;
}

const maxShown = 3;

/** What went wrong today; nothing while all is well. */
export function RequestAlerts({
  activationId,
  onShow,
}: {
  activationId: string;
  onShow: (filter: AlertFilter) => void;
}) {
  const read = useCall(listRequestAlerts, { params: { activationId } }).data;
  if (read === undefined || read.alerts.length === 0) return null;
  return (
    <ul className={classes.alerts} aria-label={texts.alerts}>
      {read.alerts.slice(0, maxShown).map((alert) => {
        const { code, rule, keyId, lastAt } = alert;
        const sentence = alertText(alert, read.calls);
        return (
          <li key={[code, rule, keyId].join(' ')}>
            <TriangleAlert size={16} aria-hidden />
            <span>
              {sentence} <small className="num">{texts.lastAt(timeText(lastAt).slice(0, 5))}</small>
            </span>
            <Button
              variant="default"
              size="xs"
              aria-label={texts.showNamed(sentence)}
              onClick={() => onShow({ q: rule === null ? code : `${code}/${rule}`, key: keyId ?? '' })}
            >
              {texts.show}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function alertText({ code, rule, keyName, calls }: RequestAlert, allCalls: number): string {
  if (keyName !== null) {
    return code === 'key-invalid'
      ? texts.revokedAlert(calls, keyName)
      : texts.keyAlert(calls, problemTitle(code, rule), keyName);
  }
  const share = formatPercent(calls / Math.max(calls, allCalls));
  return rule === 'second' ? texts.rateAlert(calls, share) : texts.shareAlert(calls, problemTitle(code, rule), share);
}
