import { useHotkeys } from '@mantine/hooks';

/** Keys of a page. They do nothing while a dialog is open, which has the keyboard. */
export function useKeys(keys: readonly (readonly [key: string, work: () => void])[], ignoredIn?: string[]): void {
  useHotkeys(
    keys.map(([key, work]) => [key, () => document.querySelector('[aria-modal="true"]') === null && work()]),
    ignoredIn,
  );
}
