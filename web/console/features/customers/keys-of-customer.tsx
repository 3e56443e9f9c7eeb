import { Badge } from '@mantine/core';
import type { FoundKey } from '#shared/contract/operator/api-keys.ts';
import { revokeKey } from '#web/console/features/customers/customer-actions.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { productColumn, When } from '#web/console/ui/cells.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const stateOf = ({ revokedAt, isExpired }: FoundKey) =>
  revokedAt !== null ? 'Revoked' : isExpired ? 'Expired' : 'Active';

const columns = (marked: string | null): readonly Column<FoundKey>[] => [
  {
    header: 'Key',
    text: ({ name }) => name,
    cell: ({ id, name }) => (id === marked ? <Badge color="yellow">{name}, found</Badge> : name),
  },
  { header: 'Begins', text: ({ prefix, hint }) => `${prefix ?? ''}…${hint}`, isId: true },
  {
    header: 'State',
    text: stateOf,
    cell: (key) => <StatusBadge status={stateOf(key).toUpperCase()} text={stateOf(key)} />,
  },
  { header: 'Kind', text: ({ isTest }) => (isTest ? 'Test' : 'Live') },
  productColumn(({ productId }) => productId),
  { header: 'Made', text: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    header: 'Actions',
    cell: ({ id, name, revokedAt }) => revokedAt === null && <Actions list={[revokeKey(id, name)]} of={name} />,
  },
];

/** Keys, never a secret. `marked`: the one that was sought. */
export function KeysOfCustomer({ customerId, marked }: { customerId: string; marked: string | null }) {
  return (
    <CallTable
      label="API keys"
      call="listKeysOfCustomer"
      input={{ customerId }}
      rows={({ keys }) => keys}
      rowKey={({ id }) => id}
      columns={columns(marked)}
      isOff={(key) => stateOf(key) !== 'Active'}
      empty="No key was made yet."
    />
  );
}
