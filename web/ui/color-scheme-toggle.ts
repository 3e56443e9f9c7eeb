import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useSyncExternalStore } from 'react';

/** The scheme that is shown, and the step to the other one. The choice is remembered; before it, the system decides. */
export function useColorSchemeToggle(): { isDark: boolean; toggle: () => void } {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  // A page that the server rendered, without the choice, is taken over as it is, and then drawn by the choice.
  const isDark = useSyncExternalStore(never, inBrowser, onServer) && scheme === 'dark';
  return { isDark, toggle: () => setColorScheme(isDark ? 'light' : 'dark') };
}

const never = () => () => undefined;
const inBrowser = () => true;
const onServer = () => false;
