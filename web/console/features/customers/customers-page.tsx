import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { FoundCustomer } from '#shared/contract/operator/customers.ts';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When } from '#web/console/ui/cells.tsx';
import { nextPage } from '#web/console/ui/next-page.ts';
import { Page } from '#web/console/ui/page.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';

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

const typingMs = 250;

/** A key or a token must not stay in the browser's history, nor in a link that is sent on. */
const isSecret = (text: string) => /gstk_|octo_/.test(text);

/** Customers by anything of theirs; what is sought stands in the address, unless it is a secret. */
export function CustomersPage() {
  const [search, setSearch] = useSearchParams();
  const [text, setText] = useState(search.get('q') ?? '');
  const seek = useDebouncedCallback((q: string) => {
    setText(q);
    setSearch(q === '' || isSecret(q) ? {} : { q }, { replace: true });
  }, typingMs);
  return (
    <Page title="Customers" lead="Find a customer by whatever they sent you.">
      <TextInput
        aria-label="Find customers"
        placeholder="E-mail, name, GSTIN, phone, payment, UTR, document, key, request…"
        leftSection={<Search size={16} aria-hidden />}
        defaultValue={text}
        onChange={({ currentTarget }) => seek(currentTarget.value.trim())}
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
