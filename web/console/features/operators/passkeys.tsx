import { Alert, Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { removePasskey } from '#shared/contract/operator/session.ts';
import { callInSession } from '#web/console/api/operator-call.ts';
import { proveWithPasskey, registerPasskey } from '#web/console/api/passkeys.ts';
import { rereadAll } from '#web/console/api/use-operator-call.ts';
import { type OperatorSession, useOperatorSession } from '#web/console/api/use-operator.ts';
import { When } from '#web/console/ui/cells.tsx';
import { Part } from '#web/console/ui/page.tsx';
import { type Column, RowTable } from '#web/console/ui/row-table.tsx';
import classes from '#web/console/features/operators/team-page.module.css';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { Refused } from '#web/api/failures.ts';

type Passkey = OperatorSession['passkeys'][number];

const columnsWith = (remove: (passkey: Passkey) => void): readonly Column<Passkey>[] => [
  { header: 'Passkey', text: ({ name }) => name },
  { header: 'Added', text: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    header: 'Last used',
    text: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <When at={lastUsedAt} />),
  },
  {
    header: 'Actions',
    cell: (passkey) => (
      <Button
        size="xs"
        variant="subtle"
        color="red"
        aria-label={`Remove ${passkey.name}`}
        onClick={() => remove(passkey)}
      >
        Remove
      </Button>
    ),
  },
];

/** The operator's own passkeys, which confirm money, keys and roles. */
export function Passkeys() {
  const queryClient = useQueryClient();
  const passkeys = useOperatorSession().data?.passkeys ?? [];
  const [name, setName] = useState('');
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  /** Confirms with a passkey that is there already, where that is needed. */
  async function confirmed(work: () => Promise<unknown>): Promise<void> {
    setFailure(null);
    setRunning(true);
    try {
      await work().catch(async (error: unknown) => {
        if (!(error instanceof Refused) || error.problem.code !== 'passkey_required') throw error;
        await proveWithPasskey();
        await work();
      });
      setName('');
      setRemoved(null);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setRunning(false);
      void rereadAll(queryClient);
    }
  }

  return (
    <Part title="Your passkeys">
      <RowTable
        label="Your passkeys"
        columns={columnsWith((passkey) => {
          setFailure(null);
          setRemoved(passkey);
        })}
        rows={passkeys}
        rowKey={({ id }) => id}
        empty="You have none yet: money, keys and roles need one."
      />
      <form
        className={classes.add}
        onSubmit={(event) => {
          event.preventDefault();
          void confirmed(() => registerPasskey(name));
        }}
      >
        <TextInput
          aria-label="Name of the passkey"
          placeholder="Name, such as Laptop"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <ActionButton
          type="submit"
          variant="default"
          leftSection={<KeyRound size={16} />}
          running={running}
          disabled={name.trim() === ''}
        >
          Add a passkey
        </ActionButton>
      </form>
      {removed === null ? <Failure text={failure} /> : null}
      <Dialog
        opened={removed !== null}
        onClose={() => running || setRemoved(null)}
        title={`Remove ${removed?.name ?? 'the passkey'}?`}
      >
        <RemoveQuestion
          keep="Keep it"
          onKeep={() => setRemoved(null)}
          remove="Remove"
          running={running}
          onRemove={() =>
            removed !== null &&
            void confirmed(() => callInSession(removePasskey, { params: { passkeyId: removed.id } }))
          }
        >
          <p className="soft">
            It no longer confirms money, keys and roles. Without another passkey you can’t decide these.
          </p>
          <Failure text={failure} />
        </RemoveQuestion>
      </Dialog>
    </Part>
  );
}

const Failure = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <Alert role="alert" color="red" icon={<CircleAlert size={18} />} mt={12}>
      {text}
    </Alert>
  );
