import { Button, Skeleton } from '@mantine/core';
import { ReceiptText } from 'lucide-react';
import { Link } from 'react-router';
import { type Activation, listActivations } from '#contract/activations.ts';
import { listHistory } from '#contract/invoices.ts';
import { useCall, useCalls } from '#web/api/use-call.ts';
import { BillingFacts } from '#web/features/activations/billing-facts.tsx';
import { BillingList } from '#web/features/activations/billing-list.tsx';
import { billingRows } from '#web/features/activations/billing-rows.ts';
import { billingTexts as texts } from '#web/features/activations/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { EmptyState, ErrorState, Loaded, Loading, StateCard } from '#web/ui/states.tsx';

/** All payments and invoices of the customer (D15). */
export function BillingPage() {
  const activations = useCall(listActivations, {});
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <Loaded of={activations} word={texts.loading} failed={texts.failed} shape={<Shape />}>
        {({ activations: all }) => <Histories activations={all} />}
      </Loaded>
    </>
  );
}

function Histories({ activations }: { activations: readonly Activation[] }) {
  const histories = useCalls(
    listHistory,
    activations.map(({ id }) => ({ params: { id } })),
  );
  const failed = histories.filter(({ isError, data }) => isError && data === undefined);
  if (failed.length > 0) {
    return (
      <StateCard>
        <ErrorState
          title={texts.failed}
          onRetry={() => failed.forEach((each) => void each.refetch())}
          retrying={failed.some(({ isFetching }) => isFetching)}
        >
          {failed[0]?.error?.message}
        </ErrorState>
      </StateCard>
    );
  }
  if (histories.some(({ data }) => data === undefined)) {
    return (
      <Loading word={texts.loading}>
        <Shape />
      </Loading>
    );
  }
  const rows = billingRows(
    activations,
    histories.map(({ data }) => data ?? []),
  );
  if (rows.length === 0) {
    return (
      <StateCard>
        <EmptyState
          icon={<ReceiptText size={20} />}
          title={texts.empty}
          action={
            <Button component={Link} to="/marketplace" variant="default">
              {texts.openMarketplace}
            </Button>
          }
        >
          {texts.emptyMore}
        </EmptyState>
      </StateCard>
    );
  }
  return (
    <>
      <BillingFacts activations={activations} rows={rows} />
      <BillingList activations={activations} rows={rows} />
    </>
  );
}

function Shape() {
  return (
    <>
      <Skeleton width="60%" height={52} />
      <Skeleton height={360} mt={32} radius="lg" />
    </>
  );
}
