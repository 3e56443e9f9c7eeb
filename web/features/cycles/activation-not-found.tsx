import { Button } from '@mantine/core';
import { SearchX } from 'lucide-react';
import { Suspense } from 'react';
import { Link, useLocation } from 'react-router';
import { cycleTexts as texts } from '#web/features/cycles/texts.ts';
import { lazyComponent } from '#web/ui/load-code.ts';
import { EmptyState, StateCard } from '#web/ui/states.tsx';

const OtherCustomers = lazyComponent(async () => (await import('#web/shell/customer-switch.tsx')).OtherCustomers);

/** The address names an activation that the customer does not have. */
export function ActivationNotFound() {
  const { pathname, search } = useLocation();
  return (
    <StateCard>
      <EmptyState
        icon={<SearchX size={20} />}
        title={texts.notFound}
        action={
          <>
            <Button component={Link} to="/marketplace" variant="default">
              {texts.openMarketplace}
            </Button>
            <Suspense>
              <OtherCustomers path={pathname + search} />
            </Suspense>
          </>
        }
      >
        {texts.notFoundMore}
      </EmptyState>
    </StateCard>
  );
}
