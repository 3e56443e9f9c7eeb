import { useDebouncedCallback } from '@mantine/hooks';
import { type ChangeEvent, useState } from 'react';
import { useSearchParams } from 'react-router';

/** A filter that stands in the address, so that it can be kept as a bookmark and sent to somebody. */
export function useFilter<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): [Value, (value: string) => void] {
  const [inAddress, keep] = useKept(name);
  const [first] = values;
  const value = values.find((each) => each === inAddress) ?? first;
  return [value, (chosen) => keep(chosen === first ? null : chosen)];
}

/** What stands in the address by a name; null removes it. */
function useKept(name: string): [string | null, (value: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const keep = (value: string | null) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === null) after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  return [search.get(name), keep];
}

const typingMs = 250;

/** A key or a token must not stay in the browser's history, nor in a link that is sent on. */
const isSecret = (text: string) => /gstk_|octo_/.test(text);

/** A text to search for, once nobody is typing, and the props of its field. It stands in the address too, unless it is a secret. */
export function useTextFilter(name: string): [text: string, field: object] {
  const [inAddress, keep] = useKept(name);
  const [text, setText] = useState(inAddress ?? '');
  const seek = useDebouncedCallback((sought: string) => {
    setText(sought);
    keep(sought === '' || isSecret(sought) ? null : sought);
  }, typingMs);
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => seek(currentTarget.value.trim());
  return [text, { defaultValue: text, onChange }];
}
