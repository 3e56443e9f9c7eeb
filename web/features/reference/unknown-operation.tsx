import { Button } from '@mantine/core';
import { SearchX } from 'lucide-react';
import { Link } from 'react-router';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { EmptyState, StateCard } from '#web/ui/states.tsx';

/** The address names an endpoint that the document does not have. */
export function UnknownOperation({ productId }: { productId: string }) {
  return (
    <>
      <PageHead title={texts.name} />
      <StateCard>
        <EmptyState
          icon={<SearchX size={20} />}
          title={texts.noEndpoint}
          action={
            <Button component={Link} to={`/reference/${productId}`} variant="default">
              {texts.toOverview}
            </Button>
          }
        >
          {texts.noEndpointMore}
        </EmptyState>
      </StateCard>
    </>
  );
}
