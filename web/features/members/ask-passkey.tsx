import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { LucideProvider } from 'lucide-react';
import { createRoot } from 'react-dom/client';
import { PasskeyDialog } from '#web/features/members/passkey-dialog.tsx';
import { ThemeProvider } from '#web/ui/theme-provider.tsx';

/** Asks for a passkey above whatever page, in a root of its own: few visits need it, so no page carries a place for it. False: cancelled. */
export function askPasskey(queryClient: QueryClient): Promise<boolean> {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  return new Promise((resolve) => {
    const close = (isProven: boolean) => {
      root.unmount();
      place.remove();
      resolve(isProven);
    };
    root.render(
      <ThemeProvider>
        <LucideProvider strokeWidth={1.75} size={18}>
          <QueryClientProvider client={queryClient}>
            <PasskeyDialog onClose={close} />
          </QueryClientProvider>
        </LucideProvider>
      </ThemeProvider>,
    );
  });
}
