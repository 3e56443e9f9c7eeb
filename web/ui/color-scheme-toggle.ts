import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';

/** The scheme that is shown, and the step to the other one. The choice is remembered; before it, the system decides. */
export function useColorSchemeToggle(): { isDark: boolean; toggle: () => void } {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return { isDark, toggle: () => setColorScheme(isDark ? 'light' : 'dark') };
}
