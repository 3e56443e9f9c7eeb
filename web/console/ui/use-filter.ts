import { useSearchParams } from 'react-router';

/** A filter that stands in the address, so that it can be kept as a bookmark and sent to somebody. */
export function useFilter<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): [Value, (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const [first] = values;
  const value = values.find((each) => each === search.get(name)) ?? first;
  const choose = (chosen: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (chosen === first) after.delete(name);
        else after.set(name, chosen);
        return after;
      },
      { replace: true },
    );
  return [value, choose];
}
