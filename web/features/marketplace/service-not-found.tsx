import { Button } from '@mantine/core';
import { SearchX } from 'lucide-react';
import { Link } from 'react-router';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import { EmptyState, StateCard } from '#web/ui/states.tsx';

/** The address names a service that is not, or no longer, in the catalogue. */
export function ServiceNotFound() {
  return (
    <StateCard>
      <EmptyState
        icon={<SearchX size={20} />}
        title={texts.serviceNotFound}
        action={
          <Button component={Link} to="/marketplace" variant="default">
            {texts.openMarketplace}
          </Button>
        }
      >
        {texts.serviceNotFoundMore}
      </EmptyState>
    </StateCard>
  );
}
