import { Alert, FileInput } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { draftProduct } from '#shared/contract/operator/catalog.ts';
import { Refused } from '#web/api/failures.ts';
import { useDraft } from '#web/console/api/drafts.ts';
import { readAsOperator } from '#web/console/api/operator-call.ts';
import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { useMay } from '#web/console/api/use-operator.ts';
import { DraftFields, draftInput, fieldsOf } from '#web/console/features/catalog/draft-fields.tsx';
import classes from '#web/console/features/catalog/import-page.module.css';
import { actionOf } from '#web/console/ui/action.ts';
import { useActionDialog } from '#web/console/ui/action-host.tsx';
import { Page, Part } from '#web/console/ui/page.tsx';
import { type Column, RowPart } from '#web/console/ui/row-table.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';

type Draft = OperatorReply<'draftProduct'>;

type Operation = Draft['operations'][number] & { change: 'New' | 'Gone' | null };

const columns: readonly Column<Operation>[] = [
  { header: 'Method', text: ({ method }) => method },
  { header: 'Path', text: ({ path }) => path, isId: true },
  { header: 'What it does', text: ({ summary }) => summary },
  { header: 'Change', text: ({ change }) => change },
];

/** What it sells, and what its document so far sold besides. */
function operationsOf({ operations, compared }: Draft): Operation[] {
  const { added = [], gone = [] } = compared ?? {};
  const isAdded = ({ method, path }: Draft['operations'][number]) =>
    added.some((each) => each.method === method && each.path === path);
  return [
    ...operations.map((each): Operation => ({ ...each, change: isAdded(each) ? 'New' : null })),
    ...gone.map((each): Operation => ({ ...each, change: 'Gone' })),
  ];
}

/** A product made from an OpenAPI document: what it sells, what is left to do, and the change that puts it on sale. */
export function ImportPage() {
  const may = useMay();
  const { data: versions } = useOperatorCall('listCatalogVersions', {});
  const [file, setFile] = useState<File | null>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const [replaces, setReplaces] = useState(false);
  const { values, change } = useDraft(`import of ${file?.name ?? ''}`, {});
  const open = useActionDialog();

  /** Drafts it with what was entered; null after a failure, which is shown and loses nothing. */
  const read = async (
    from: File,
    entered: Readonly<Record<string, string>>,
    mayReplace: boolean,
  ): Promise<Draft | null> => {
    setRunning(true);
    setFailure(null);
    setReplaces(mayReplace);
    try {
      const input = draftProduct.input.safeParse({
        document: await from.text(),
        replaces: mayReplace,
        ...draftInput(entered, from === file ? draft : null),
      });
      if (!input.success)
        throw new Error(input.error.issues.map(({ path, message }) => `${path.join(' ')}: ${message}`).join('\n'));
      const made = await readAsOperator('draftProduct', input.data);
      setDraft(made);
      return made;
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
      return null;
    } finally {
      setRunning(false);
    }
  };
  const choose = (chosen: File | null): void => {
    setFile(chosen);
    setDraft(null);
    setFailure(null);
    // What was entered for another document is not meant for this one.
    if (chosen !== null) void read(chosen, chosen.name === file?.name ? values : {}, false);
  };
  const putOnSale = async (): Promise<void> => {
    const made = file === null || versions === undefined ? null : await read(file, values, replaces);
    if (made === null || versions === undefined) return;
    open(
      actionOf({
        call: 'applyCatalog',
        title: made.isReplacement ? `Replace the document of ${made.name}` : `Put ${made.name} on sale`,
        verb: made.isReplacement ? 'Replace' : 'Put on sale',
        about: `Operations: ${made.operations.length}. Files: ${made.files.map(({ path }) => path).join(' and ')}.`,
        input: () => ({ comparedWith: versions.inEffect, whole: false, files: made.files, removed: [] }),
      }),
    );
  };

  const shown = { ...(draft === null ? {} : fieldsOf(draft)), ...values };
  return (
    <Page title="Import an API" lead="An OpenAPI document becomes a product. Nothing is on sale before you confirm it.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void (draft === null && file !== null ? read(file, values, replaces) : putOnSale());
        }}
      >
        <FileInput
          label="OpenAPI document"
          description="OpenAPI 3.0, 3.1 or 3.2, as JSON or YAML, up to 4 MB"
          placeholder="Choose a file"
          accept=".json,.yaml,.yml,application/json"
          maw={480}
          value={file}
          onChange={choose}
        />
        {failure === null ? null : (
          <Alert color="red" icon={<CircleAlert size={18} />} mt={14} role="alert" className={classes.failure ?? ''}>
            {failure.message}
            {file !== null && failure instanceof Refused && failure.problem.code === 'refused' ? (
              <div>
                <ActionButton
                  variant="default"
                  size="xs"
                  mt={8}
                  running={running}
                  onClick={() => void read(file, values, true)}
                >
                  Replace the product on sale
                </ActionButton>
              </div>
            ) : null}
          </Alert>
        )}
        {file === null ? null : (
          <DraftFields
            draft={draft}
            values={shown}
            onChange={(name, value) => {
              // Which one is replaced was decided for that id.
              if (name === 'id') setReplaces(false);
              change(name, value);
            }}
          />
        )}
        {draft === null ? null : (
          <>
            {draft.isReplacement ? (
              <Alert color="yellow" mt={14} title={`${draft.name} is on sale already`}>
                It gets this document in place of the one so far.
                {draft.compared === null ? ' That one is with the API, so operations can’t be compared.' : null}
              </Alert>
            ) : null}
            <Part title="Left to do">
              <ul className={classes.list}>
                {draft.remaining.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </Part>
            <RowPart
              label="Operations sold"
              columns={columns}
              rows={operationsOf(draft)}
              rowKey={({ method, path }) => `${method} ${path}`}
              isOff={({ change: how }) => how === 'Gone'}
              empty="None."
            />
          </>
        )}
        {file === null ? null : (
          <ActionButton type="submit" mt={20} running={running} disabled={!may('applyCatalog')}>
            {draft === null
              ? 'Read the document'
              : draft.isReplacement
                ? 'Preview and replace'
                : 'Preview and put on sale'}
          </ActionButton>
        )}
      </form>
    </Page>
  );
}
