import { type CssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { cssVariablesResolver } from '#web/ui/theme-variables.ts';
import { theme } from '#web/ui/theme.ts';

/** The colours and sizes of the portal as a style sheet that follows the system's preference: no script is there to choose. */
export function themeStyle(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const own = cssVariablesResolver(merged);
  const [ours, shipped] = [defaultCssVariablesResolver(merged), defaultCssVariablesResolver(DEFAULT_THEME)];
  const changed = (part: 'variables' | 'light' | 'dark') => ({ ...differing(ours[part], shipped[part]), ...own[part] });
  const all = declarations({ ...changed('variables'), ...changed('light') });
  return `:root{color-scheme:light dark;${all}}@media(prefers-color-scheme:dark){:root{${declarations(changed('dark'))}}}`;
}

/** Mantine's style sheet has the others. */
const differing = (ours: CssVariables, shipped: CssVariables): CssVariables =>
  Object.fromEntries(Object.entries(ours).filter(([name, value]) => value !== Reflect.get(shipped, name)));

const declarations = (variables: CssVariables): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}:${value};`)
    .join('');
