import { NativeSelect, Skeleton } from '@mantine/core';
import { useState } from 'react';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { useMay } from '#web/console/api/use-operator.ts';
import { type Action, actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { When } from '#web/console/ui/cells.tsx';
import { Page, Part } from '#web/console/ui/page.tsx';
import { type Column, CsvButton, RowTable } from '#web/console/ui/row-table.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { Loaded } from '#web/ui/states.tsx';

type Versions = OperatorReply<'listCatalogVersions'>;
type Version = Versions['versions'][number];
type VersionOnSale = OperatorReply<'readCatalogVersion'>;

const revert = ({ version }: Version, inEffect: number | null): Action =>
  actionOf({
    call: 'revertCatalog',
    title: `Put version ${version} on sale again`,
    verb: 'Put on sale',
    input: () => ({ version, comparedWith: inEffect }),
  });

const columns: readonly Column<{ version: Version; inEffect: number | null }>[] = [
  { header: 'Version', text: ({ version: { version } }) => version },
  { header: 'Reason', text: ({ version: { reason } }) => reason },
  { header: 'Author', text: ({ version: { author } }) => author },
  {
    header: 'Time',
    text: ({ version: { createdAt } }) => createdAt,
    cell: ({ version: { createdAt } }) => <When at={createdAt} />,
  },
  {
    header: 'State',
    text: ({ version, inEffect }) =>
      version.version === inEffect ? 'On sale' : version.activeFrom === null ? 'Never on sale' : 'Earlier',
  },
  {
    header: 'Actions',
    cell: ({ version, inEffect }) =>
      version.version !== inEffect && <Actions list={[revert(version, inEffect)]} of={`Version ${version.version}`} />,
  },
];

/** What is on sale, what was, and changes of it. */
export function CatalogPage() {
  const may = useMay();
  const list = useOperatorCall('listCatalogVersions', {});
  return (
    <Page title="Catalogue" lead="A change makes a new version. Plans that were sold keep their terms.">
      <Loaded
        of={list}
        word="Loading"
        failed="This list could not be read"
        shape={<Skeleton height={120} radius="lg" />}
      >
        {({ versions, inEffect }) => {
          const rows = versions.map((version) => ({ version, inEffect }));
          return (
            <>
              {inEffect !== null && may('readCatalogVersion') ? <OnSale version={inEffect} /> : null}
              <Part
                title="Versions"
                end={<CsvButton label="Versions" columns={columns} read={() => Promise.resolve(rows)} />}
              >
                <RowTable
                  label="Versions"
                  columns={columns}
                  rows={rows}
                  rowKey={({ version: { version } }) => String(version)}
                  empty="There is no version yet: the first start records one."
                />
              </Part>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const priceColumns: readonly Column<VersionOnSale['prices'][number]>[] = [
  { header: 'Product', text: ({ product }) => product },
  { header: 'Plan', text: ({ plan }) => plan },
  { header: 'Price', text: ({ price }) => price, cell: ({ price }) => moneyText(price), align: 'right' },
];

function OnSale({ version }: { version: number }) {
  const found = useOperatorCall('readCatalogVersion', { version });
  return (
    <Loaded
      of={found}
      word="Loading"
      failed="The version could not be read"
      shape={<Skeleton height={160} radius="lg" />}
    >
      {(onSale) => (
        <Part title={`On sale: version ${version}`} end={<ChangeFile onSale={onSale} />}>
          <RowTable
            label="Prices"
            columns={priceColumns}
            rows={onSale.prices}
            rowKey={({ product, plan }) => `${product} ${plan}`}
            empty="Nothing is on sale."
          />
        </Part>
      )}
    </Loaded>
  );
}

/** A product file as text: what its change would mean, and for whom, is shown while it is written. */
function ChangeFile({ onSale: { version, files } }: { onSale: VersionOnSale }) {
  const products = files.filter(({ path }) => /^[^/]+\.ya?ml$/.test(path));
  const [chosen, setChosen] = useState(products[0]?.path ?? '');
  const file = products.find(({ path }) => path === chosen);
  if (file === undefined) return null;
  const change = actionOf({
    call: 'applyCatalog',
    title: `Change ${file.path}`,
    verb: 'Change',
    fields: [{ name: 'text', label: file.path, kind: 'file', initial: textOf(file.content) }],
    input: (value) => ({
      comparedWith: version,
      whole: false,
      files: [{ path: file.path, content: base64Of(value('text')) }],
      removed: [],
    }),
  });
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="File"
        data={products.map(({ path }) => path)}
        value={chosen}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      <Actions list={[change]} of={file.path} />
    </>
  );
}

const textOf = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));

const base64Of = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
