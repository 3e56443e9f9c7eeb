import type { ReactNode } from 'react';
import type { RouteObject } from 'react-router';
import { BrokenPage } from '#web/console/shell/broken-page.tsx';
import { NotFoundPage } from '#web/console/shell/not-found-page.tsx';
import { Shell } from '#web/console/shell/shell.tsx';
import { loadCode } from '#web/ui/load-code.ts';

/** A page whose code is loaded on first use. */
function page(path: string, load: () => Promise<() => ReactNode>): RouteObject {
  return { path, lazy: async () => ({ Component: await loadCode(load) }) };
}

/** Every address of the console, below /operator. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <BrokenPage />,
    hydrateFallbackElement: <></>,
    children: [
      {
        errorElement: <BrokenPage />,
        children: [
          page('/', async () => (await import('#web/console/features/waiting/today-page.tsx')).TodayPage),
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
];
