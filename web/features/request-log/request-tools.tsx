import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '#shared/contract/api-keys.ts';
import { type RequestFilter, requestLogDays } from '#shared/contract/request-log.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import classes from '#web/features/request-log/request-log.module.css';
import { requestTexts as texts } from '#web/features/request-log/texts.ts';
import { DayInput } from '#web/forms/day-input.tsx';
import filters from '#web/ui/filters.module.css';

interface RequestToolsProps {
  filter: RequestFilter;
  keys: readonly ApiKey[];
  today: Day;
  /** Changes one parameter of the URL; an empty one is removed. */
  onChange: (name: 'from' | 'to' | 'key' | 'status' | 'counted' | 'q', value: string) => void;
}

const statuses = ['2xx', '4xx', '429', '5xx'] as const;

/** Filters of the list; all of them are in the URL. */
export function RequestTools({ filter, keys, today, onChange }: RequestToolsProps) {
  return (
    <fieldset className={`${filters.filters} ${classes.tools}`} data-print="hidden" aria-label={texts.tools}>
      <SearchField value={filter.q ?? ''} onSearch={(words) => onChange('q', words)} />
      {(['from', 'to'] as const).map((end) => (
        <DayInput
          key={end}
          className={filters.day ?? ''}
          clearable
          label={texts[end]}
          placeholder={texts.anyDay}
          min={addDays(today, -requestLogDays)}
          max={today}
          value={filter[end] ?? ''}
          onChange={(day) => onChange(end, day)}
        />
      ))}
      <NativeSelect
        aria-label={texts.key}
        value={filter.keyId ?? ''}
        data={[{ value: '', label: texts.allKeys }, ...namesOf(keys, filter.keyId)]}
        onChange={(event) => onChange('key', event.currentTarget.value)}
      />
      <NativeSelect
        aria-label={texts.status}
        value={filter.status ?? ''}
        data={[
          { value: '', label: texts.allStatuses },
          ...statuses.map((value) => ({ value, label: texts.statuses[value] })),
        ]}
        onChange={(event) => onChange('status', event.currentTarget.value)}
      />
      <NativeSelect
        aria-label={texts.counted}
        value={filter.counted ?? ''}
        data={[
          { value: '', label: texts.anyCounted },
          { value: 'yes', label: texts.isCounted },
          { value: 'no', label: texts.notCounted },
        ]}
        onChange={(event) => onChange('counted', event.currentTarget.value)}
      />
    </fieldset>
  );
}

const searchAfterMs = 350;

/** Searches a moment after the last letter; a search that comes from elsewhere (an alert, the address) is shown. */
function SearchField({ value, onSearch }: { value: string; onSearch: (words: string) => void }) {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  const search = useDebouncedCallback((words: string) => onSearch(words.trim()), searchAfterMs);
  return (
    <TextInput
      type="search"
      className={classes.search ?? ''}
      aria-label={texts.search}
      placeholder={texts.search}
      leftSection={<Search size={16} aria-hidden />}
      maxLength={200}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}

/** The keys to choose from. One that ended so long ago that it isn't listed has only its id. */
function namesOf(keys: readonly ApiKey[], chosen: string | undefined) {
  const names = keys.map(({ id, keyName, hint }) => ({ value: id, label: `${keyName} …${hint}` }));
  const isListed = chosen === undefined || keys.some(({ id }) => id === chosen);
  return isListed ? names : [...names, { value: chosen, label: chosen }];
}
