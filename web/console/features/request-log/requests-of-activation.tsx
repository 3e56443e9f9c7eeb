import { TextInput } from '@mantine/core';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { missingCallsText } from '#shared/domain/missing-calls.ts';
import { useProductName } from '#web/console/api/use-operator.ts';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When } from '#web/console/ui/cells.tsx';
import { nextPage } from '#web/console/ui/next-page.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import { useTextFilter } from '#web/console/ui/use-filter.ts';

type Request = OperatorReply<'readRequests'>['requests'][number];

const columns: readonly Column<Request>[] = [
  { header: 'When', text: ({ at }) => at, cell: ({ at }) => <When at={at} /> },
  { header: 'Call', text: ({ method, path }) => `${method} ${path}`, isId: true },
  { header: 'Status', text: ({ status }) => status, align: 'right' },
  { header: 'Why it failed', text: ({ why }) => why },
  { header: 'Units', text: ({ units }) => units, align: 'right' },
  { header: 'Took', text: ({ latencyMs }) => latencyMs, cell: ({ latencyMs }) => `${latencyMs} ms`, align: 'right' },
  { header: 'Key', text: ({ keyName }) => keyName },
  { header: 'Request', text: ({ requestId }) => requestId, isId: true },
];

/** The request log of an activation, and why calls failed. */
export function RequestsOfActivation({ activationId, productId }: { activationId: string; productId: string }) {
  const name = useProductName()(productId);
  const [q, field] = useTextFilter(`calls-${activationId}`);
  const input = { activationId, ...(q !== '' && (/^[1-5](xx|\d\d)$/.test(q) ? { status: q } : { q })) };
  return (
    <CallTable
      label={`Calls of ${name}`}
      call="readRequests"
      input={input}
      rows={({ requests }) => requests}
      notes={missingCallsText}
      next={nextPage(input)}
      rowKey={({ requestId }) => requestId}
      columns={columns}
      empty="No such call in the last 30 days."
      filters={
        <TextInput
          size="xs"
          aria-label={`Filter the calls of ${name}`}
          placeholder="429, 5xx, a request id, words"
          {...field}
        />
      }
    />
  );
}
