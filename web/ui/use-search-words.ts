import { useSearchParams } from 'react-router';

/** What the address says after its `?`, so that links and the back button keep it; empty words leave it. */
export function useSearchWords(): [URLSearchParams, (part: Record<string, string>) => void] {
  const [search, setSearch] = useSearchParams();
  const change = (part: Record<string, string>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, word] of Object.entries(part)) {
          if (word === '') next.delete(name);
          else next.set(name, word);
        }
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return [search, change];
}
