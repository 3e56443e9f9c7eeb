import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Activation, listActivations } from '#contract/activations.ts';
import { type Usage, readUsage } from '#contract/usage.ts';
import { useCall, useCalls } from '#web/api/use-call.ts';
import { Report } from '#web/features/activations/report.tsx';
import { reportingTexts as texts, developersTexts } from '#web/features/activations/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { EmptyState, ErrorState, Loaded, Loading, StateCard } from '#web/ui/states.tsx';

const everyMs = 10_000;

/** Use over time across the activations (D15). */
export function ReportingPage() {
  const activations = useCall(listActivations, {});
  const [chosen, setChosen] = useState<string | null>(null);
  const all = activations.data?.activations ?? [];
  return (
    <>
      <PageHead
        title={texts.title}
        lead={texts.lead}
        actions={
          all.length < 2 ? null : (
            <NativeSelect
              aria-label={texts.which}
              value={chosen ?? ''}
              onChange={(event) => setChosen(event.currentTarget.value || null)}
              data={[
                { value: '', label: texts.all },
                ...all.map(({ id, service }) => ({ value: id, label: service.name })),
              ]}
            />
          )
        }
      />
      <Loaded of={activations} word={texts.loading} failed={texts.failed} shape={<Shape />}>
        {() =>
          all.length === 0 ? (
            <NoActivations />
          ) : (
            <Usages activations={chosen === null ? all : all.filter(({ id }) => id === chosen)} />
          )
        }
      </Loaded>
    </>
  );
}

function Usages({ activations }: { activations: readonly Activation[] }) {
  const usages = useCalls(
    readUsage,
    activations.map(({ id }) => ({ params: { activationId: id } })),
    { refetchIntervalMs: everyMs },
  );
  const failed = usages.filter(({ isError, data }) => isError && data === undefined);
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
  const reports = activations.flatMap((activation, index) => {
    const usage: Usage | undefined = usages[index]?.data;
    return usage === undefined ? [] : [{ activation, insights: usage.insights }];
  });
  if (reports.length < activations.length) {
    return (
      <Loading word={texts.loading}>
        <Shape />
      </Loading>
    );
  }
  return <Report reports={reports} />;
}

function NoActivations() {
  return (
    <StateCard>
      <EmptyState
        icon={<ChartColumn size={20} />}
        title={developersTexts.activatedNone}
        action={
          <Button component={Link} to="/marketplace" variant="default">
            {developersTexts.openMarketplace}
          </Button>
        }
      >
        {developersTexts.activatedNoneMore}
      </EmptyState>
    </StateCard>
  );
}

function Shape() {
  return (
    <>
      <Skeleton width="60%" height={52} />
      <Skeleton height={380} mt={32} radius="lg" />
    </>
  );
}
