import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { useMay } from '#web/console/api/use-operator.ts';
import { type Action, actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { moneyColumn, productColumn, When } from '#web/console/ui/cells.tsx';
import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { Page } from '#web/console/ui/page.tsx';
import { type Column, RowPart } from '#web/console/ui/row-table.tsx';
import { base64Of, bytesOf } from '#web/forms/base64.ts';

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
  return (
    <Page
      title="Catalogue"
      lead="A change makes a new version. Plans that were sold keep their terms."
      actions={
        may('draftProduct') ? (
          <Button component={Link} to="/catalogue/import" variant="default" size="sm">
            Import an API
          </Button>
        ) : undefined
      }
    >
      <LoadedCall call="listCatalogVersions" input={{}} failed="This list could not be read" height={120}>
        {({ versions, inEffect }) => {
          const rows = versions.map((version) => ({ version, inEffect }));
          return (
            <>
              {inEffect !== null && may('readCatalogVersion') ? <OnSale version={inEffect} /> : null}
              <RowPart
                label="Versions"
                columns={columns}
                rows={rows}
                rowKey={({ version: { version } }) => String(version)}
                isOff={({ version: { version } }) => version !== inEffect}
                empty="There is no version yet: the first start records one."
              />
            </>
          );
        }}
      </LoadedCall>
    </Page>
  );
}

const priceColumns: readonly Column<VersionOnSale['prices'][number]>[] = [
  productColumn(({ product }) => product),
  { header: 'Plan', text: ({ plan }) => plan, isId: true },
  moneyColumn('Price', ({ price }) => price),
];

function OnSale({ version }: { version: number }) {
  return (
    <LoadedCall
      call="readCatalogVersion"
      input={{ version, contents: [] }}
      failed="The version could not be read"
      height={160}
    >
      {(onSale) => (
        <RowPart
          title={`On sale: version ${version}`}
          end={<ChangeFile version={version} paths={onSale.files.map(({ path }) => path)} />}
          label="Prices"
          columns={priceColumns}
          rows={onSale.prices}
          rowKey={({ product, plan }) => `${product} ${plan}`}
          empty="Nothing is on sale."
        />
      )}
    </LoadedCall>
  );
}

/** A product file as text: what its change would mean, and for whom, is shown while it is written. */
function ChangeFile({ version, paths }: { version: number; paths: readonly string[] }) {
  const products = paths.filter((path) => /^[^/]+\.ya?ml$/.test(path));
  const [chosen, setChosen] = useState(products[0] ?? '');
  const path = products.includes(chosen) ? chosen : undefined;
  const read = useOperatorCall(
    'readCatalogVersion',
    { version, contents: path === undefined ? [] : [path] },
    { enabled: path !== undefined },
  );
  if (path === undefined) return null;
  const content = read.data?.files.find((file) => file.path === path)?.content ?? null;
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="File"
        data={products}
        value={path}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      {content === null ? null : <Actions list={[changeOf(path, content, version)]} of={path} />}
    </>
  );
}

const changeOf = (path: string, content: string, version: number): Action =>
  actionOf({
    call: 'applyCatalog',
    title: `Change ${path}`,
    verb: 'Change',
    fields: [{ name: 'text', label: path, kind: 'file', initial: new TextDecoder().decode(bytesOf(content)) }],
    input: (value) => ({
      comparedWith: version,
      whole: false,
      files: [{ path, content: base64Of(new TextEncoder().encode(value('text'))) }],
      removed: [],
    }),
  });
