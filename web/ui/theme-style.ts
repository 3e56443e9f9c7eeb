import { DEFAULT_THEME, convertCssVariables, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { cssVariablesResolver } from '#web/ui/theme-variables.ts';
import { theme } from '#web/ui/theme.ts';

type Variables = Parameters<typeof convertCssVariables>[0]['variables'];

/** The colours and sizes of the portal as a style sheet, for the colour scheme that the root element names. */
export function themeStyle(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const own = cssVariablesResolver(merged);
  const [ours, shipped] = [defaultCssVariablesResolver(merged), defaultCssVariablesResolver(DEFAULT_THEME)];
  const changed = (part: 'variables' | 'light' | 'dark') => differing({ ...ours[part], ...own[part] }, shipped[part]);
  return convertCssVariables(
    { variables: changed('variables'), light: changed('light'), dark: changed('dark') },
    ':root',
  );
}

/** Mantine's style sheet has the others. */
function differing(ours: object, shipped: object): Variables {
  const found: Variables = {};
  for (const [name, value] of Object.entries(ours))
    if (isVariable(name) && value !== Reflect.get(shipped, name)) found[name] = String(value);
  return found;
}

const isVariable = (name: string): name is `--${string}` => name.startsWith('--');
