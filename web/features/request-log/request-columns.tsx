import { UnstyledButton } from '@mantine/core';
import type { LoggedRequest } from '#shared/contract/request-log.ts';
import { countedText } from '#web/features/request-log/counted-text.ts';
import { hasFailed, outcomeTitle } from '#web/features/request-log/problem-text.ts';
import classes from '#web/features/request-log/request-log.module.css';
import { requestTexts as texts } from '#web/features/request-log/texts.ts';
import type { DataColumn } from '#web/ui/data-table.tsx';
import { dayOfInstant, relativeDayText, timeText } from '#web/ui/localized-days.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import type { Day } from '#shared/domain/day.ts';

/** Time, call, key, status, latency and count of each call; on a phone its first two and its outcome, in two lines. */
export function requestColumns(today: Day, onOpen: (request: LoggedRequest) => void): DataColumn<LoggedRequest>[] {
  return [
    {
      key: 'time',
      header: texts.time,
      stack: 'left',
      cell: (request) => (
        <span className="num">
          {timeText(request.at)} <span className={classes.why}>{relativeDayText(dayOfInstant(request.at), today)}</span>
        </span>
      ),
    },
    {
      key: 'call',
      header: texts.call,
      stack: 'top-left',
      cell: (request) => (
        <>
          <UnstyledButton
            className={`${classes.path} mono`}
            title={request.path}
            aria-label={texts.open(request.method, request.path, String(request.status))}
            onClick={() => onOpen(request)}
          >
            {request.method} {request.path}
          </UnstyledButton>
          <span className={`${classes.id} mono`} title={request.requestId}>
            {request.requestId}
          </span>
        </>
      ),
    },
    {
      key: 'key',
      header: texts.key,
      stack: 'hidden',
      cell: (request) => (
        <>
          <span className="mono">{request.keyName}</span>{' '}
          {request.isTest && <StatusBadge status="TEST" text={texts.test} />}
        </>
      ),
    },
    {
      key: 'status',
      header: texts.status,
      stack: 'top-right',
      cell: (request) => <StatusBadge status={statusLookOf(request.status)} text={String(request.status)} />,
    },
    {
      key: 'latency',
      header: texts.latency,
      align: 'right',
      stack: 'hidden',
      cell: (request) => <span className="num">{texts.ms(request.latencyMs.toLocaleString('en-IN'))}</span>,
    },
    {
      key: 'counted',
      header: texts.counted,
      stack: 'right',
      cell: (request) => (
        <>
          <span className={classes.wide}>{countedText(request)}</span>
          <span className={classes.why} data-failed={hasFailed(request)}>
            {outcomeTitle(request)}
          </span>
        </>
      ),
    },
  ];
}

/** The badge of an HTTP status. */
export function statusLookOf(status: number): string {
  if (status < 400) return 'ACTIVE';
  return status < 500 ? 'PENDING' : 'FAILED';
}
