import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { Download, History, SearchX } from 'lucide-react';
import { useState } from 'react';
import type { CallReply } from '#shared/contract/call.ts';
import { type LogEntry, listMemberActions, loggedCallsByGroup, memberLogCsvPath } from '#shared/contract/member-log.ts';
import { fetchText } from '#web/api/fetch-text.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/members/log/activity.module.css';
import { type ActivityFilter, readActivityFilter } from '#web/features/members/log/activity-filter.ts';
import { activityTexts as texts } from '#web/features/members/log/texts.ts';
import { DayInput } from '#web/forms/day-input.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { instantText } from '#web/ui/localized-days.ts';
import filters from '#web/ui/filters.module.css';
import { notifyFailure, tellOutcome } from '#web/ui/notify.tsx';
import { OlderPages } from '#web/ui/older-pages.tsx';
import { PanelHead } from '#web/ui/panel-head.tsx';
import { saveText } from '#web/ui/save-file.ts';
import { EmptyState, Loaded, StateCard } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';
import { useSearchWords } from '#web/ui/use-search-words.ts';

type People = CallReply<typeof listMemberActions>['people'];

/** Who did what in the account: members and the provider. The address has the filter. */
export function ActivityPanel() {
  const [search, change] = useSearchWords();
  const [places, setPlaces] = useState<readonly string[]>([]);
  const today = useToday();
  const filter = readActivityFilter(search);
  const after = places.at(-1);
  const log = useCall(
    listMemberActions,
    { query: { ...filter, ...(after !== undefined && { after }) } },
    { keepPrevious: true },
  );

  async function download(): Promise<void> {
    const outcome = await fetchText(`${memberLogCsvPath}?${new URLSearchParams(Object.entries(filter))}`).then(
      (text) => () => saveText(text, `activity-${today}.csv`, 'text/csv'),
      (error) => () => notifyFailure(texts.csvFailed, error instanceof Error ? error.message : undefined),
    );
    tellOutcome(memberLogCsvPath, outcome);
  }

  return (
    <>
      <PanelHead lead={texts.lead}>
        <Button
          variant="default"
          data-print="hidden"
          leftSection={<Download size={16} aria-hidden />}
          onClick={() => void download()}
        >
          {texts.csv}
        </Button>
      </PanelHead>
      <ActivityTools
        filter={filter}
        words={search}
        people={log.data?.people ?? []}
        onChange={(name, value) => {
          setPlaces([]);
          change({ [name]: value });
        }}
      />
      <Loaded of={log} word={texts.loading} failed={texts.failed} shape={<Skeleton h={320} radius="lg" />}>
        {({ entries, next }) => (
          <>
            {entries.length === 0 ? (
              <StateCard>{Object.keys(filter).length === 0 ? <Nothing /> : <NoneFound />}</StateCard>
            ) : (
              <DataTable label={texts.title} columns={columns()} rows={entries} rowKey={({ id }) => id} />
            )}
            <OlderPages places={places} next={next} onChange={setPlaces} words={texts} />
          </>
        )}
      </Loaded>
    </>
  );
}

const columns = (): DataColumn<LogEntry>[] => [
  {
    key: 'at',
    header: texts.at,
    stack: 'right',
    width: '190px',
    cell: ({ at }) => (
      <time className="num" dateTime={at}>
        {instantText(at)}
      </time>
    ),
  },
  {
    key: 'who',
    header: texts.who,
    stack: 'left',
    width: '30%',
    cell: ({ member, by }) => (
      <>
        <div>{member?.name ?? texts.provider}</div>
        {member === null && by === null ? null : <div className={`${classes.id} soft`}>{member?.email ?? by}</div>}
      </>
    ),
  },
  {
    key: 'what',
    header: texts.what,
    stack: 'top-left',
    cell: ({ action, target, reason }) => (
      <>
        <div className="strong">{texts.done(action)}</div>
        {reason === null ? null : <div>{reason}</div>}
        {target === null ? null : <div className={`${classes.id} mono dim`}>{target}</div>}
      </>
    ),
  },
];

function ActivityTools({
  filter,
  words,
  people,
  onChange,
}: {
  filter: ActivityFilter;
  words: URLSearchParams;
  people: People;
  onChange: (name: 'who' | 'what' | 'from' | 'to', value: string) => void;
}) {
  const today = useToday();
  const groups = loggedCallsByGroup.map(({ group, calls }) => ({
    group: texts.groups[group],
    items: calls.map((call) => ({ value: call, label: texts.done(call) })),
  }));
  return (
    <fieldset className={filters.filters} data-print="hidden" aria-label={texts.tools}>
      <NativeSelect
        aria-label={texts.who}
        value={filter.memberId ?? ''}
        data={[
          { value: '', label: texts.everybody },
          ...people.map(({ id, name, isFormer }) => ({ value: id, label: isFormer ? texts.former(name) : name })),
          { value: 'provider', label: texts.provider },
        ]}
        onChange={(event) => onChange('who', event.currentTarget.value)}
      />
      <NativeSelect
        aria-label={texts.what}
        value={filter.action ?? ''}
        data={[{ value: '', label: texts.everything }, ...groups]}
        onChange={(event) => onChange('what', event.currentTarget.value)}
      />
      {(['from', 'to'] as const).map((end) => (
        <DayInput
          key={end}
          className={filters.day ?? ''}
          clearable
          label={texts[end]}
          placeholder={texts.anyDay}
          max={today}
          value={filter[end] === undefined ? '' : (words.get(end) ?? '')}
          onChange={(day) => onChange(end, day)}
        />
      ))}
    </fieldset>
  );
}

function Nothing() {
  return (
    <EmptyState icon={<History size={20} />} title={texts.empty}>
      {texts.emptyMore}
    </EmptyState>
  );
}

function NoneFound() {
  return (
    <EmptyState icon={<SearchX size={20} />} title={texts.noneFound}>
      {texts.noneFoundMore}
    </EmptyState>
  );
}
