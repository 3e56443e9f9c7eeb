import { Button } from '@mantine/core';
import { Compass } from 'lucide-react';
import { Link } from 'react-router';
import { shellTexts as texts } from '#web/shell/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { EmptyState, StateCard } from '#web/ui/states.tsx';

export function NotFoundPage() {
  return (
    <>
      <PageHead title={texts.notFoundTitle} />
      <StateCard>
        <EmptyState
          icon={<Compass size={20} />}
          title={texts.notFoundHere}
          action={
            <Button component={Link} to="/marketplace" variant="default">
              {texts.openMarketplace}
            </Button>
          }
        >
          {texts.notFound}
        </EmptyState>
      </StateCard>
    </>
  );
}
