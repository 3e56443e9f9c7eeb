import { Button } from '@mantine/core';
import { SearchX } from 'lucide-react';
import { Link } from 'react-router';
import { cycleTexts as texts } from '#web/features/cycles/texts.ts';
import { EmptyState, StateCard } from '#web/ui/states.tsx';

/** The address names an activation that the customer does not have. */
export function ActivationNotFound() {
  return (
    <StateCard>
      <EmptyState
        icon={<SearchX size={20} />}
        title={texts.notFound}
        action={
          <Button component={Link} to="/marketplace" variant="default">
            {texts.openMarketplace}
          </Button>
        }
      >
        {texts.notFoundMore}
      </EmptyState>
    </StateCard>
  );
}
