import { ArrowRight, CircleCheck } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import type { CallReply } from '#shared/contract/call.ts';
import { listRequestAlerts, listRequests, type LoggedRequest } from '#shared/contract/request-log.ts';
import type { Day } from '#shared/domain/day.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/request-log/last-calls.module.css';
import { hasFailed, outcomeTitle } from '#web/features/request-log/problem-text.ts';
import { RequestAlerts } from '#web/features/request-log/request-alerts.tsx';
import { statusLookOf } from '#web/features/request-log/request-columns.tsx';
import { requestTexts as texts } from '#web/features/request-log/texts.ts';
import { useRequests } from '#web/features/request-log/use-requests.ts';
import { shellTexts } from '#web/shell/texts.ts';
import { dayOfInstant, relativeDayText, timeText } from '#web/ui/localized-days.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useToday } from '#web/ui/today.ts';

const shown = { limit: 5 };

/** Have they not come yet? They come together: what comes later would move the others. */
export function useAwaitsCalls(activationId: string): boolean {
  const params = { activationId };
  const reads = [useCall(listRequests, { params, query: shown }), useCall(listRequestAlerts, { params })];
  return reads.some(({ isPending }) => isPending);
}

/** Is it working? Today in one line, its problems, and the last calls, each with its reason. `waits`: they have not come yet; `isRefused`: calls are refused now. */
export function LastCalls({
  activationId,
  waits,
  isRefused,
}: {
  activationId: string;
  waits: boolean;
  isRefused: boolean;
}) {
  const navigate = useNavigate();
  const today = useToday();
  const log = `/activations/${activationId}/requests`;
  const { requests } = useRequests(activationId, shown, true);
  const ofToday = useCall(listRequestAlerts, { params: { activationId } });
  const calls = requests.data?.requests ?? [];
  const hasTrouble = isRefused || calls.some(hasFailed);
  return (
    <section aria-label={texts.last}>
      <div className={classes.head}>
        <h2>{texts.last}</h2>
        <Link className="link caption" to={log}>
          {shellTexts.pages.requests}
          <ArrowRight size={15} aria-hidden="true" />
        </Link>
      </div>
      {waits ? null : (
        <>
          {ofToday.data === undefined ? null : <Today of={ofToday.data} hasTrouble={hasTrouble} />}
          <RequestAlerts
            activationId={activationId}
            onShow={(alert) => void navigate(`${log}?${new URLSearchParams({ from: today, to: today, ...alert })}`)}
          />
          <ul className={classes.list}>
            {calls.map((call) => (
              <li key={call.requestId}>
                <LastCall call={call} log={log} today={today} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Today({
  of: { calls, alerts },
  hasTrouble,
}: {
  of: CallReply<typeof listRequestAlerts>;
  /** In what stands beside it. */
  hasTrouble: boolean;
}) {
  if (calls === 0 || alerts.length > 0 || hasTrouble) return <p className={classes.line}>{texts.callsToday(calls)}</p>;
  return (
    <p className={classes.line} data-good="true">
      <CircleCheck size={16} aria-hidden="true" />
      {texts.working(calls)}
    </p>
  );
}

function LastCall({ call, log, today }: { call: LoggedRequest; log: string; today: Day }) {
  const { requestId, method, path, status, at } = call;
  const day = dayOfInstant(at);
  return (
    <Link
      to={`${log}?${new URLSearchParams({ q: requestId, request: requestId })}`}
      aria-label={texts.open(method, path, String(status))}
    >
      <span className={`${classes.call} mono`}>
        {method} {path}
      </span>
      <span className={classes.outcome} data-failed={hasFailed(call)}>
        <span className="num">
          {day === today ? null : `${relativeDayText(day, today)}, `}
          {timeText(at)}
        </span>{' '}
        · {outcomeTitle(call)}
      </span>
      <StatusBadge status={statusLookOf(status)} text={String(status)} />
    </Link>
  );
}
