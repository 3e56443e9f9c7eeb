import { ActionIcon } from '@mantine/core';
import { Moon, Sun } from 'lucide-react';
import { shellTexts as texts } from '#web/shell/texts.ts';
import { useColorSchemeToggle } from '#web/ui/color-scheme-toggle.ts';

/** Switches between light and dark. */
export function ColorSchemeIcon({ className }: { className?: string | undefined }) {
  const { isDark, toggle } = useColorSchemeToggle();
  return (
    <ActionIcon className={className} aria-label={isDark ? texts.toLight : texts.toDark} onClick={toggle}>
      {isDark ? <Sun size={18} /> : <Moon size={18} />}
    </ActionIcon>
  );
}
