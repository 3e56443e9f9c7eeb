import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { listApiKeys, revokeApiKey } from '#shared/contract/api-keys.ts';
import type { CallReply } from '#shared/contract/call.ts';
import { leaveCustomer, listMembers, type Member, removeMember } from '#shared/contract/members.ts';
import { useAction } from '#web/api/use-call.ts';
import classes from '#web/features/members/members.module.css';
import { memberTexts as texts } from '#web/features/members/texts.ts';
import { endSession } from '#web/session/session.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';

type MadeKey = CallReply<typeof removeMember>['keys'][number];

interface Opened {
  opened: boolean;
  onClose: () => void;
}

/** Removes a member, then offers to revoke the keys that the member made. */
export function RemoveDialog({ member, opened, onClose }: Opened & { member: Member | null }) {
  const [keys, setKeys] = useState<readonly MadeKey[]>([]);
  const name = member?.name ?? '';
  const close = () => {
    onClose();
    setKeys([]);
  };
  return (
    <Dialog opened={opened} onClose={close} title={keys.length === 0 ? texts.removeTitle(name) : texts.keysTitle(name)}>
      {keys.length > 0 ? (
        <MadeKeys keys={keys} onClose={close} />
      ) : member === null ? null : (
        <Removal member={member} onClose={close} onKeys={setKeys} />
      )}
    </Dialog>
  );
}

function Removal({
  member: { id, name },
  onClose,
  onKeys,
}: {
  member: Member;
  onClose: () => void;
  onKeys: (keys: readonly MadeKey[]) => void;
}) {
  const removing = useAction(removeMember, {
    changes: [listMembers],
    onDone: ({ keys }) => {
      notifyDone(texts.removed(name));
      if (keys.length === 0) onClose();
      else onKeys(keys);
    },
    onFailed: (failure) => notifyFailure(texts.removeFailed, failure.message),
  });
  return (
    <RemoveQuestion
      call="removeMember"
      keep={texts.keep}
      onKeep={onClose}
      remove={texts.remove}
      removing={texts.removing}
      running={removing.running}
      onRemove={() => void removing.run({ params: { memberId: id } })}
    >
      <Text className="soft">{texts.removeQuestion}</Text>
    </RemoveQuestion>
  );
}

function MadeKeys({ keys, onClose }: { keys: readonly MadeKey[]; onClose: () => void }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isRunning, setRunning] = useState(false);
  const revoking = useAction(revokeApiKey, { changes: [listApiKeys], onFailed: () => undefined });

  async function revoke(): Promise<void> {
    setRunning(true);
    let left = chosen;
    for (const { id, activationId } of keys.filter((key) => chosen.includes(key.id))) {
      const done = await revoking.run({ params: { activationId, keyId: id } });
      if (done !== null) left = left.filter((each) => each !== id);
    }
    setRunning(false);
    setChosen(left);
    if (left.length > 0) {
      notifyFailure(texts.keysFailed);
      return;
    }
    notifyDone(texts.keysRevoked);
    onClose();
  }

  return (
    <RemoveQuestion
      call="revokeApiKey"
      keep={texts.keepKeys}
      onKeep={onClose}
      remove={texts.revokeKeys(chosen.length)}
      removing={texts.revokingKeys}
      running={isRunning}
      disabled={chosen.length === 0}
      onRemove={() => void revoke()}
    >
      <div className={classes.form}>
        <p className="soft">{texts.keysLead}</p>
        {keys.map(({ id, keyName, hint, isTest }) => (
          <Checkbox
            key={id}
            label={<span className="mono">{texts.keyOf(keyName, hint)}</span>}
            description={isTest ? texts.testKey : undefined}
            checked={chosen.includes(id)}
            disabled={isRunning}
            onChange={({ currentTarget: { checked } }) =>
              setChosen(checked ? [...chosen, id] : chosen.filter((each) => each !== id))
            }
          />
        ))}
      </div>
    </RemoveQuestion>
  );
}

/** The member leaves; the session is over with it. */
export function LeaveDialog({ customerName, opened, onClose }: Opened & { customerName: string }) {
  const [forget, setForget] = useState(false);
  const leaving = useAction(leaveCustomer, {
    onDone: () => endSession('signed-out'),
    onFailed: (failure) => notifyFailure(texts.leaveFailed, failure.message),
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.leaveTitle(customerName)}>
      <RemoveQuestion
        call="leaveCustomer"
        keep={texts.stay}
        onKeep={onClose}
        remove={texts.leave}
        removing={texts.leaving}
        running={leaving.running}
        onRemove={() => void leaving.run({ body: { forget } })}
      >
        <Text className="soft">{texts.leaveQuestion}</Text>
        <Checkbox
          mt={16}
          label={texts.forget}
          checked={forget}
          onChange={(event) => setForget(event.currentTarget.checked)}
        />
      </RemoveQuestion>
    </Dialog>
  );
}
