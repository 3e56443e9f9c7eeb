import { Button, Menu, VisuallyHidden } from '@mantine/core';
import { KeyRound, ListTree, SlidersHorizontal } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import type { ApiKey } from '#shared/contract/api-keys.ts';
import type { Day } from '#shared/domain/day.ts';
import { useMay } from '#web/roles/use-role.ts';
import classes from '#web/features/api-keys/api-keys-panel.module.css';
import { keyTexts as texts } from '#web/features/api-keys/texts.ts';
import { DayCell } from '#web/ui/data-table-day.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { dayOfInstant, relativeDayText, timeText } from '#web/ui/localized-days.ts';
import { MoreMenu } from '#web/ui/more-menu.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useToday } from '#web/ui/today.ts';

/** The actions on a key. */
export type KeyAct = 'replace' | 'limit' | 'revoke';

interface ApiKeysTableProps {
  activationId: string;
  keys: readonly ApiKey[];
  onAct: (act: KeyAct, apiKey: ApiKey) => void;
}

/** Name and last characters, age, last use and state of each key. */
export function ApiKeysTable(props: ApiKeysTableProps) {
  const today = useToday();
  return (
    <DataTable
      label={texts.title}
      columns={keyColumns(today, props)}
      // What works comes first.
      rows={props.keys.toSorted((one, other) => Number(isOver(one)) - Number(isOver(other)))}
      rowKey={(key) => key.id}
      isOff={isOver}
    />
  );
}

function keyColumns(today: Day, { activationId, onAct }: ApiKeysTableProps): DataColumn<ApiKey>[] {
  return [
    {
      key: 'name',
      header: texts.name,
      width: '28%',
      stack: 'top-left',
      cell: (key) => <KeyName apiKey={key} today={today} />,
    },
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
      cell: (key) => (
        <>
          <span className="num">{lastUse(key, today)}</span>
          {key.lastClient !== null && (
            <span className={classes.limits}>
              <span className="num">{key.lastClient.address}</span> {key.lastClient.client}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'status',
      header: texts.status,
      stack: 'top-right',
      cell: (key) => {
        const status = statusOf(key);
        return <StatusBadge status={status.toUpperCase()} text={texts[status]} />;
      },
    },
    {
      key: 'action',
      header: texts.action,
      quiet: true,
      align: 'right',
      stack: 'foot',
      cell: (key) => (isOver(key) ? null : <KeyActions apiKey={key} activationId={activationId} onAct={onAct} />),
    },
  ];
}

function KeyActions({
  apiKey,
  activationId,
  onAct,
}: Pick<ApiKeysTableProps, 'activationId' | 'onAct'> & { apiKey: ApiKey }) {
  const { keyName } = apiKey;
  const more = useRef<HTMLButtonElement>(null);
  const may = useMay();
  const mayChange = may('revokeApiKey');
  const limit = () => {
    // The dialog returns the focus to where it was, and the menu's item is gone by then.
    more.current?.focus();
    onAct('limit', apiKey);
  };
  if (!mayChange) return null;
  return (
    <span className={classes.actions}>
      {apiKey.replacedBy === null && (
        <>
          <MoreMenu label={texts.moreNamed(keyName)} opener={more}>
            <Menu.Item leftSection={<SlidersHorizontal size={16} />} onClick={limit}>
              {texts.limits}
            </Menu.Item>
            <Menu.Item
              component={Link}
              leftSection={<ListTree size={16} />}
              to={`/activations/${activationId}/requests?${new URLSearchParams({ key: apiKey.id })}`}
            >
              {texts.requests}
            </Menu.Item>
          </MoreMenu>
          <Button
            variant="subtle"
            size="xs"
            aria-label={texts.replaceNamed(keyName)}
            onClick={() => onAct('replace', apiKey)}
          >
            {texts.replace}
          </Button>
        </>
      )}
      <Button
        variant="subtle"
        color="red"
        size="xs"
        mr={-10}
        aria-label={texts.revokeNamed(keyName)}
        onClick={() => onAct('revoke', apiKey)}
      >
        {texts.revoke}
      </Button>
    </span>
  );
}

function isOver(key: ApiKey): boolean {
  return key.isRevoked || key.isExpired;
}

function statusOf(key: ApiKey): 'active' | 'revoked' | 'expired' | 'replaced' {
  if (key.isRevoked) return 'revoked';
  if (key.isExpired) return 'expired';
  return key.replacedBy === null ? 'active' : 'replaced';
}

/** The restrictions of a key, in a few words; empty without restrictions. */
function limitsOf(key: ApiKey, today: Day): string {
  const parts = [];
  if (key.expiresAt !== null && !isOver(key)) {
    // A key that ends at midnight works on the day before.
    const lastDay = dayOfInstant(new Date(Date.parse(key.expiresAt) - 1).toISOString());
    parts.push(texts.worksUntil(relativeDayText(lastDay, today)));
  }
  if (key.allowedIps.length > 0) parts.push(texts.addresses(key.allowedIps.length));
  if (key.dailyCap !== null) parts.push(texts.capped(key.dailyCap.toLocaleString('en-IN')));
  return parts.join(' · ');
}

function KeyName({ apiKey, today }: { apiKey: ApiKey; today: Day }) {
  const limits = limitsOf(apiKey, today);
  return (
    <span className={classes.name}>
      <KeyRound size={17} aria-hidden />
      <span>
        <b className="mono">{apiKey.keyName}</b>{' '}
        <span className={`${classes.hint} mono`} aria-hidden="true">
          {texts.endsWith(apiKey.hint)}
        </span>
        <VisuallyHidden>{texts.endsWithSpoken(apiKey.hint)}</VisuallyHidden>{' '}
        {apiKey.isTest && <StatusBadge status="TEST" text={texts.test} />}
        {limits === '' ? null : <span className={classes.limits}>{limits}</span>}
      </span>
    </span>
  );
}

/** When a key was last used: a day, with the time today. */
export function lastUse(key: ApiKey, today: Day): string {
  if (key.lastUsedAt === null) return texts.neverUsed;
  const day = dayOfInstant(key.lastUsedAt);
  const relative = relativeDayText(day, today);
  return day === today ? `${relative}, ${timeText(key.lastUsedAt).slice(0, 5)}` : relative;
}
