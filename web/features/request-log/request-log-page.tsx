import { Button, Skeleton } from '@mantine/core';
import { Download, ListTree, Radio, SearchX } from 'lucide-react';
import { useState } from 'react';
import type { Activation } from '#shared/contract/activations.ts';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import { type LoggedRequest, type RequestFilter, requestCsvPath } from '#shared/contract/request-log.ts';
import type { Day } from '#shared/domain/day.ts';
import { fetchText } from '#web/api/fetch-text.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivationOfPath } from '#web/features/cycles/activation-of-path.tsx';
import { RequestAlerts } from '#web/features/request-log/request-alerts.tsx';
import { requestColumns } from '#web/features/request-log/request-columns.tsx';
import { RequestDialog } from '#web/features/request-log/request-dialog.tsx';
import { readRequestFilter } from '#web/features/request-log/request-filter.ts';
import classes from '#web/features/request-log/request-log.module.css';
import { RequestTools } from '#web/features/request-log/request-tools.tsx';
import { requestTexts as texts } from '#web/features/request-log/texts.ts';
import { useRequests } from '#web/features/request-log/use-requests.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { spanText } from '#web/ui/localized-days.ts';
import { notifyFailure, tellOutcome } from '#web/ui/notify.tsx';
import { OlderPages } from '#web/ui/older-pages.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { saveText } from '#web/ui/save-file.ts';
import { EmptyState, Loaded, StateCard } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';
import { useSearchWords } from '#web/ui/use-search-words.ts';

/** The outcome of each call of an activation. */
export function RequestLogPage() {
  return <ActivationOfPath shape={null}>{(activation) => <RequestLog activation={activation} />}</ActivationOfPath>;
}

function RequestLog({ activation }: { activation: Activation }) {
  const { id, service } = activation;
  const today = useToday();
  const [search, change] = useSearchWords();
  const [places, setPlaces] = useState<readonly string[]>([]);
  const filter = readRequestFilter(search);
  const after = places.at(-1);
  const { requests, isLive } = useRequests(
    id,
    { ...filter, ...(after !== undefined && { after }) },
    after === undefined,
  );
  const keys = useCall(listApiKeys, { params: { activationId: id } }).data ?? [];
  // Kept while the dialog fades, and while the list is read again.
  const [shown, setShown] = useState<LoggedRequest | null>(null);
  const wanted = search.get('request');
  const found = requests.data?.requests.find(({ requestId }) => requestId === wanted) ?? null;
  if (found !== null && found !== shown) setShown(found);
  const open = ({ requestId }: LoggedRequest) => change({ request: requestId });

  async function download(): Promise<void> {
    const path = requestCsvPath.replace(':activationId', encodeURIComponent(id));
    const outcome = await fetchText(`${path}?${wordsOf(filter)}`).then(
      (text) => () => saveText(text, `requests-${today}.csv`, 'text/csv'),
      (error) => () => notifyFailure(texts.csvFailed, error instanceof Error ? error.message : undefined),
    );
    tellOutcome(requestCsvPath, outcome);
  }

  return (
    <>
      <PageHead
        title={texts.title}
        lead={
          <>
            {service.name} <span className="mono dim">{id}</span> · {texts.lead}{' '}
            {/* Has its place before it is seen: the line may break there. */}
            <span className={classes.live} data-hidden={!isLive}>
              <Radio size={14} aria-hidden /> {texts.live}
            </span>
          </>
        }
        actions={
          <Button
            variant="default"
            data-print="hidden"
            leftSection={<Download size={16} aria-hidden />}
            onClick={() => void download()}
          >
            {texts.csv}
          </Button>
        }
      />
      <RequestAlerts
        activationId={id}
        onShow={(alert) => {
          setPlaces([]);
          change({ from: today, to: today, status: '', counted: '', ...alert });
        }}
      />
      <RequestTools
        filter={filter}
        keys={keys}
        today={today}
        onChange={(name, value) => {
          setPlaces([]);
          change({ [name]: value });
        }}
      />
      <Loaded of={requests} word={texts.loading} failed={texts.failed} shape={<Skeleton h={320} radius="lg" />}>
        {({ requests: rows, next, unlogged, unlisted }) => (
          <>
            <Missing days={unlogged} text={texts.unlogged} />
            <Missing days={unlisted} text={texts.unlisted} />
            {rows.length === 0 ? (
              <StateCard>
                {next !== null ? <NoneYet /> : Object.keys(filter).length === 0 ? <NoCalls /> : <NoneFound />}
              </StateCard>
            ) : (
              <DataTable
                label={texts.title}
                columns={requestColumns(today, open)}
                onOpen={open}
                rows={rows}
                rowKey={({ requestId }) => requestId}
              />
            )}
            <OlderPages places={places} next={next} onChange={setPlaces} words={texts} />
          </>
        )}
      </Loaded>
      <RequestDialog
        activation={activation}
        request={shown}
        opened={wanted !== null && shown?.requestId === wanted}
        onClose={() => change({ request: '' })}
      />
    </>
  );
}

function wordsOf(filter: RequestFilter): string {
  const words = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return new URLSearchParams(words).toString();
}

/** One sentence, however many days it is about. */
function Missing({
  days,
  text,
}: {
  days: readonly { day: Day; calls: number }[];
  text: (calls: string, days: string) => string;
}) {
  const sorted = days.map(({ day }) => day).toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return null;
  const calls = days.reduce((sum, each) => sum + each.calls, 0).toLocaleString('en-IN');
  return <p className={`${classes.note} caption soft`}>{text(calls, spanText(first, last))}</p>;
}

function NoCalls() {
  return (
    <EmptyState icon={<ListTree size={20} />} title={texts.empty}>
      {texts.emptyMore}
    </EmptyState>
  );
}

function NoneYet() {
  return (
    <EmptyState icon={<SearchX size={20} />} title={texts.noneYet}>
      {texts.noneYetMore}
    </EmptyState>
  );
}

function NoneFound() {
  return (
    <EmptyState icon={<SearchX size={20} />} title={texts.noneFound}>
      {texts.noneFoundMore}
    </EmptyState>
  );
}
