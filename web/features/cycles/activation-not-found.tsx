import { Button } from '@mantine/core';
import { SearchX } from 'lucide-react';
import { Suspense } from 'react';
import { Link, useLocation } from 'react-router';
import { readAccount } from '#shared/contract/account.ts';
import { useCall } from '#web/api/use-call.ts';
import { cycleTexts as texts } from '#web/features/cycles/texts.ts';
import { lazyComponent } from '#web/ui/load-code.ts';
import { EmptyState, StateCard } from '#web/ui/states.tsx';

const OtherCustomers = lazyComponent(async () => (await import('#web/shell/customer-switch.tsx')).OtherCustomers);

/** The address names an activation that the customer does not have. */
export function ActivationNotFound() {
  const { pathname, search } = useLocation();
  const hasOthers = useCall(readAccount, {}).data?.hasOthers === true;
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
            <Suspense>{hasOthers ? <OtherCustomers path={pathname + search} /> : null}</Suspense>
          </>
        }
      >
        {texts.notFoundMore}
      </EmptyState>
    </StateCard>
  );
}
