// First: the styles of pages come after those of all.
import '#web/root.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { renderToString } from 'react-dom/server';
import { type RouteObject, RouterProvider, createMemoryRouter } from 'react-router';
import type { PortalConfig } from '#shared/contract/portal-config.ts';
import { givePortalConfig } from '#web/api/config.ts';
import { createQueryClient } from '#web/api/query-client.ts';
import { LoginPicture } from '#web/features/account/login/login-picture.tsx';
import { LoginView } from '#web/features/account/login/login-view.tsx';
import { loadLanguages, renderedIn } from '#web/language/language.ts';
import { Root } from '#web/root.tsx';
import { framedRoutes } from '#web/routes.tsx';
import { noteServerTime } from '#web/ui/server-time.ts';

/** The addresses of the pages that the server renders; `:` begins a parameter. */
export const paths: readonly string[] = ['/login', ...pathsOf(framedRoutes)];

/**
 * A page of an installation as HTML in each language, which shows before any code of it has come: the sign-in page whole, each of the others while its
 * data is awaited.
 */
export async function renderPage(
  path: string,
  config: PortalConfig,
  now: string,
): Promise<Record<'en' | 'hi', string>> {
  const render = path === '/login' ? login : await renderOf(path);
  await loadLanguages();
  // Nothing comes in between: the module has one configuration, and one time.
  givePortalConfig(config);
  noteServerTime(now);
  return { en: renderedIn('en', render), hi: renderedIn('hi', render) };
}

function login(): string {
  // In a boundary, as in the browser.
  const picture = (
    <Suspense>
      <LoginPicture />
    </Suspense>
  );
  const google = { state: 'preparing', renew: () => undefined } as const;
  return renderToString(
    <Root>
      <LoginView google={google} isSigningIn={false} hasEnded={false} picture={picture} />
    </Root>,
  );
}

/** The addresses of all pages whose code is loaded when they are opened, with and without a parameter that may be left out. */
function pathsOf(routes: readonly RouteObject[]): string[] {
  return routes.flatMap(({ path, lazy, children = [] }) => {
    const own =
      path === undefined || lazy === undefined ? [] : [path.replaceAll('?', ''), path.replace(/\/:\w+\?/, '')];
    return [...new Set(own), ...pathsOf(children)];
  });
}

/** Loads the code of a page. In the place of each parameter stands which part of the address it is: before-root.js puts that there. */
async function renderOf(path: string): Promise<() => string> {
  const address = path
    .split('/')
    .map((part, index) => (part.startsWith(':') ? `~${index}~` : part))
    .join('/');
  const router = createMemoryRouter(framedRoutes, { initialEntries: [address] });
  await new Promise<void>((resolve) => {
    if (router.state.initialized) resolve();
    else router.subscribe(({ initialized }) => initialized && resolve());
  });
  return () =>
    renderToString(
      <Root>
        <QueryClientProvider client={createQueryClient()}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </Root>,
    );
}
