import { QueryClientProvider } from '@tanstack/react-query';
import { Fragment, Suspense } from 'react';
import { RouterProvider, createBrowserRouter } from 'react-router';
import { onPasskeyNeeded } from '#web/api/passkey-needed.ts';
import { createQueryClient } from '#web/api/query-client.ts';
import { readForLanguage } from '#web/api/replies-in-language.ts';
import { beforeLanguageChange } from '#web/language/language.ts';
import { routes } from '#web/routes.tsx';
import { onSessionChange, readSession } from '#web/session/session.ts';
import { isView } from '#web/session/view.ts';
import { loadAhead } from '#web/shell/load-ahead.ts';
import { lazyComponent, loadCode, onWaitingForCode } from '#web/ui/load-code.ts';
import { SessionRuns } from '#web/ui/session-runs.ts';

const queryClient = createQueryClient();
const router = createBrowserRouter(routes);
loadAhead(routes);

/** Resolves when the page of this address can be drawn at once, or says that it waits for the network: what the server has rendered stays until then. */
export const firstPage: Promise<void> = new Promise((resolve) => {
  if (router.state.initialized) resolve();
  else router.subscribe(({ initialized }) => initialized && resolve());
  onWaitingForCode(resolve);
});

const Frame = isView ? lazyComponent(async () => (await import('#web/shell/view-frame.tsx')).ViewFrame) : Fragment;

const isSignedIn = () => readSession().token !== null;

// Nothing of one customer may stay for the next.
onSessionChange(() => {
  if (readSession().token === null) queryClient.clear();
});

// The catalogue's texts in replies are in the language that was asked for.
beforeLanguageChange(() => readForLanguage(queryClient));

onPasskeyNeeded(async () =>
  (await loadCode(() => import('#web/features/members/ask-passkey.tsx'))).askPasskey(queryClient),
);

/** Every page of the portal. */
export function Portal() {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionRuns value={isSignedIn}>
        <Suspense>
          <Frame>
            <RouterProvider router={router} />
          </Frame>
        </Suspense>
      </SessionRuns>
    </QueryClientProvider>
  );
}
