import type { ListedTaxClaim } from '#shared/contract/operator/tax-claims.ts';
import { readAsOperator } from '#web/console/api/operator-call.ts';
import { actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { CustomerLink, When } from '#web/console/ui/cells.tsx';
import { FileButton } from '#web/console/ui/file-button.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { nextPage } from '#web/console/ui/next-page.ts';
import type { Column } from '#web/console/ui/row-table.tsx';

const check = ({ customerId }: ListedTaxClaim) =>
  actionOf({
    call: 'checkSez',
    title: 'Ask the GST portal again',
    verb: 'Ask again',
    about: 'Its answer decides the tax of the next payment, whatever the letter says.',
    input: () => ({ customerId }),
  });

async function letterOf(claimId: string) {
  const { name, type, letter: base64 } = await readAsOperator('readClaimLetter', { claimId });
  return { name, type, base64 };
}

const columns: readonly Column<ListedTaxClaim>[] = [
  {
    header: 'Customer',
    text: ({ customer }) => customer,
    cell: ({ customerId, customer }) => <CustomerLink id={customerId} name={customer} />,
  },
  { header: 'Claims', text: ({ kind }) => wordOf(kind) },
  { header: 'GSTIN or country', text: ({ about }) => about, isId: true },
  {
    header: 'Declared',
    text: ({ declared }) => declared?.on ?? null,
    cell: ({ declared }) => declared && <When at={declared.on} />,
  },
  {
    header: 'The GST portal says',
    text: ({ checked }) => checked && `${wordOf(checked.outcome)}${checked.type === '' ? '' : ` (${checked.type})`}`,
  },
  {
    header: 'Asked',
    text: ({ checked }) => checked?.at ?? null,
    cell: ({ checked }) => checked && <When at={checked.at} />,
  },
  { header: 'Proven', text: ({ isProven }) => (isProven ? 'Yes' : 'No: tax is charged') },
  {
    header: 'Letter',
    cell: ({ declared, customer }) =>
      declared && <FileButton label={declared.letterName} of={customer} read={() => letterOf(declared.claimId)} />,
  },
  {
    header: 'Actions',
    cell: (claim) => claim.kind === 'SEZ' && <Actions list={[check(claim)]} of={claim.customer} />,
  },
];

/** Of one customer, or of all. */
export function TaxClaims({ customerId }: { customerId?: string }) {
  const input = customerId === undefined ? {} : { customerId };
  return (
    <CallTable
      label="SEZs and exports"
      call="listTaxClaims"
      input={input}
      rows={({ claims }) => claims}
      next={nextPage(input)}
      rowKey={(claim) => claim.customerId}
      columns={columns}
      empty={
        customerId === undefined
          ? 'Nobody claims to be an SEZ or abroad.'
          : 'The customer claims neither to be an SEZ nor to be abroad.'
      }
    />
  );
}
