import '@fontsource-variable/geist';
import '@fontsource-variable/geist-mono';
import '#web/ui/mantine-styles.ts';
import '#web/ui/base.css';
import '#web/ui/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { LucideProvider } from 'lucide-react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider, createBrowserRouter } from 'react-router';
import { createQueryClient } from '#web/api/query-client.ts';
import { onSessionChange, readToken } from '#web/console/api/session.ts';
import { routes } from '#web/console/routes.tsx';
import { NotificationPlace } from '#web/ui/notification-place.tsx';
import { ThemeProvider } from '#web/ui/theme-provider.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root');

const queryClient = createQueryClient();
const router = createBrowserRouter(routes, { basename: '/operator' });

// Nothing of one operator may stay for the next.
onSessionChange(() => {
  if (readToken() === null) queryClient.clear();
});

createRoot(root).render(
  <StrictMode>
    <ThemeProvider>
      <LucideProvider strokeWidth={1.75} size={18}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <NotificationPlace />
        </QueryClientProvider>
      </LucideProvider>
    </ThemeProvider>
  </StrictMode>,
);
