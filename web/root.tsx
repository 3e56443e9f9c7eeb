import '@fontsource-variable/geist';
import '@fontsource-variable/geist-mono';
import '#web/ui/mantine-styles.ts';
import '#web/ui/base.css';
import '#web/ui/theme.css';
import { LucideProvider } from 'lucide-react';
import { type ReactNode, StrictMode } from 'react';
import { RehearsalBar } from '#web/shell/rehearsal-bar.tsx';
import { NotificationPlace } from '#web/ui/notification-place.tsx';
import { OfflineBar } from '#web/ui/offline-bar.tsx';
import { ThemeProvider } from '#web/ui/theme-provider.tsx';

declare global {
  /** Resolves when the style sheets are there, which the page's own text has asked for (before-page.js). */
  var stylesReady: Promise<unknown> | undefined;
  /** Draws the page, and presses what was pressed before in what the server has rendered (before-root.js). */
  var takeOver: (draw: () => void) => Promise<void>;
}

/** Around every page: the look, and what is said on all of them. The server renders it too. */
export function Root({ children }: { children: ReactNode }) {
  return (
    <StrictMode>
      <ThemeProvider>
        <LucideProvider strokeWidth={1.75} size={18}>
          <RehearsalBar />
          {children}
          <OfflineBar />
          <NotificationPlace />
        </LucideProvider>
      </ThemeProvider>
    </StrictMode>
  );
}
