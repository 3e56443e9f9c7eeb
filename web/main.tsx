import '@fontsource-variable/geist';
import '@fontsource-variable/geist-mono';
import '#web/ui/mantine-styles.ts';
import '#web/ui/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { LucideProvider } from 'lucide-react';
import { Fragment, StrictMode, Suspense, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider, createBrowserRouter } from 'react-router';
import { createQueryClient } from '#web/api/query-client.ts';
import { readForLanguage } from '#web/api/replies-in-language.ts';
import { onSessionChange, readSession } from '#web/session/session.ts';
import { beforeLanguageChange, startLanguage } from '#web/language/language.ts';
import { routes } from '#web/routes.tsx';
import { OfflineBar } from '#web/ui/offline-bar.tsx';
import { isView } from '#web/session/view.ts';
import { lazyComponent } from '#web/ui/load-code.ts';
import { RehearsalBar } from '#web/shell/rehearsal-bar.tsx';
import { SessionRuns } from '#web/ui/session-runs.ts';
import { NotificationPlace } from '#web/ui/notification-place.tsx';
import { cssVariablesResolver } from '#web/ui/theme-variables.ts';
import { theme } from '#web/ui/theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root');

const queryClient = createQueryClient();
const router = createBrowserRouter(routes);

const Frame = isView ? lazyComponent(async () => (await import('#web/shell/view-frame.tsx')).ViewFrame) : Fragment;

const isSignedIn = () => readSession().token !== null;

// Nothing of one customer may stay for the next.
onSessionChange(() => {
  if (readSession().token === null) queryClient.clear();
});

await startLanguage();

// The catalogue's texts in replies are in the language that was asked for.
beforeLanguageChange(() => readForLanguage(queryClient));

// As a transition, the first render is split into short pieces, so that the page reacts to input in between.
startTransition(() => {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
        <LucideProvider strokeWidth={1.75} size={18}>
          <QueryClientProvider client={queryClient}>
            <RehearsalBar />
            <SessionRuns value={isSignedIn}>
              <Suspense>
                <Frame>
                  <RouterProvider router={router} />
                </Frame>
              </Suspense>
            </SessionRuns>
            <OfflineBar />
            <NotificationPlace />
          </QueryClientProvider>
        </LucideProvider>
      </MantineProvider>
    </StrictMode>,
  );
});
