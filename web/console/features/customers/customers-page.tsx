import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import type { FoundCustomer } from '#shared/contract/operator/customers.ts';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When } from '#web/console/ui/cells.tsx';
import { nextPage } from '#web/console/ui/next-page.ts';
import { Page } from '#web/console/ui/page.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';
import { useTextFilter } from '#web/console/ui/use-filter.ts';

const columns: readonly Column<FoundCustomer>[] = [
  { header: 'Name', text: ({ name }) => name },
  { header: 'E-mail', text: ({ email }) => email },
  { header: 'Business', text: ({ legalName }) => legalName },
  { header: 'GSTIN', text: ({ gstin }) => gstin, isId: true },
  { header: 'Phone', text: ({ phone }) => phone },
  { header: 'Since', text: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    header: 'State',
    text: ({ blockedAt, erasedAt }) => (erasedAt !== null ? 'Erased' : blockedAt !== null ? 'Blocked' : null),
  },
];

/** Customers by anything of theirs; what is sought stands in the address, unless it is a secret. */
export function CustomersPage() {
  const [text, field] = useTextFilter('q');
  return (
    <Page title="Customers" lead="Find a customer by whatever they sent you.">
      <TextInput
        aria-label="Find customers"
        placeholder="E-mail, name, GSTIN, phone, payment, UTR, document, key, request…"
        leftSection={<Search size={16} aria-hidden />}
        {...field}
      />
      {text.length < 3 ? null : (
        <CallTable
          label="Found"
          call="findCustomers"
          input={{ text }}
          rows={({ customers }) => customers}
          next={nextPage({ text })}
          rowKey={({ id }) => id}
          columns={columns}
          to={({ id }) => `/customers/${encodeURIComponent(id)}`}
          isOff={({ erasedAt }) => erasedAt !== null}
          empty="No customer matches this."
        />
      )}
    </Page>
  );
}
