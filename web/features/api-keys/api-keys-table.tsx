import { Button, VisuallyHidden } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import type { ApiKey } from '#contract/api-keys.ts';
import type { Day } from '#domain/day.ts';
import classes from '#web/features/api-keys/api-keys-panel.module.css';
import { keyTexts as texts } from '#web/features/api-keys/texts.ts';
import { DayCell } from '#web/ui/data-table-day.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { dayOfInstant, relativeDayText, timeText } from '#web/ui/day-text.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useToday } from '#web/ui/today.ts';

interface ApiKeysTableProps {
  keys: readonly ApiKey[];
  onRevoke: (apiKey: ApiKey) => void;
}

/** Name and last characters, age, last use and state of each key. */
export function ApiKeysTable({ keys, onRevoke }: ApiKeysTableProps) {
  const today = useToday();
  return (
    <DataTable
      label={texts.title}
      columns={keyColumns(today, onRevoke)}
      rows={keys}
      rowKey={(key) => key.id}
      isOff={(key) => key.isRevoked}
    />
  );
}

function keyColumns(today: Day, onRevoke: ApiKeysTableProps['onRevoke']): DataColumn<ApiKey>[] {
  return [
    { key: 'name', header: texts.name, width: '28%', stack: 'top-left', cell: (key) => <KeyName apiKey={key} /> },
    {
      key: 'created',
      header: texts.created,
      stack: 'left',
      cell: (key) => <DayCell day={dayOfInstant(key.createdAt)} today={today} />,
    },
    {
      key: 'used',
      header: texts.lastUsed,
      stack: 'bottom',
      labelled: true,
      cell: (key) => <span className="num">{lastUse(key, today)}</span>,
    },
    {
      key: 'status',
      header: texts.status,
      stack: 'top-right',
      cell: (key) => (
        <StatusBadge
          status={key.isRevoked ? 'REVOKED' : 'ACTIVE'}
          text={key.isRevoked ? texts.revoked : texts.active}
        />
      ),
    },
    {
      key: 'action',
      header: texts.action,
      quiet: true,
      align: 'right',
      stack: 'right',
      cell: (key) =>
        key.isRevoked ? null : (
          <Button
            variant="subtle"
            color="red"
            size="xs"
            mr={-10}
            aria-label={texts.revokeNamed(key.keyName)}
            onClick={() => onRevoke(key)}
          >
            {texts.revoke}
          </Button>
        ),
    },
  ];
}

function KeyName({ apiKey }: { apiKey: ApiKey }) {
  return (
    <span className={classes.name}>
      <KeyRound size={17} aria-hidden />
      <span>
        <b className="mono">{apiKey.keyName}</b>{' '}
        <span className={`${classes.hint} mono`} aria-hidden="true">
          {texts.endsWith(apiKey.hint)}
        </span>
        <VisuallyHidden>{texts.endsWithSpoken(apiKey.hint)}</VisuallyHidden>
      </span>
    </span>
  );
}

function lastUse(key: ApiKey, today: Day): string {
  if (key.lastUsedAt === null) return texts.neverUsed;
  const day = dayOfInstant(key.lastUsedAt);
  const relative = relativeDayText(day, today);
  return day === today ? `${relative}, ${timeText(key.lastUsedAt).slice(0, 5)}` : relative;
}
