import { Button, Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { readAccountant, removeAccountant } from '#shared/contract/accountants.ts';
import { listApiKeys, revokeApiKey } from '#shared/contract/api-keys.ts';
import type { CallReply } from '#shared/contract/call.ts';
import { leaveCustomer, listMembers, type Member, removeMember } from '#shared/contract/members.ts';
import { useAction } from '#web/api/use-call.ts';
import classes from '#web/features/members/members.module.css';
import { memberTexts as texts } from '#web/features/members/texts.ts';
import { endSession } from '#web/session/session.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';

type Left = CallReply<typeof removeMember>;
type MadeKey = Left['keys'][number];

interface Opened {
  opened: boolean;
  onClose: () => void;
}

/** Removes a member, then says what is left of it, and offers to end that. */
export function RemoveDialog({ member, opened, onClose }: Opened & { member: Member | null }) {
  const [left, setLeft] = useState<Left | null>(null);
  const name = member?.name ?? '';
  const close = () => {
    onClose();
    setLeft(null);
  };
  return (
    <Dialog opened={opened} onClose={close} title={left === null ? texts.removeTitle(name) : texts.leftTitle(name)}>
      {left !== null ? (
        <>
          <Others left={left} />
          {left.keys.length > 0 ? (
            <MadeKeys keys={left.keys} onClose={close} />
          ) : (
            <Button mt={16} variant="default" onClick={close}>
              {texts.close}
            </Button>
          )}
        </>
      ) : member === null ? null : (
        <Removal member={member} onClose={close} onLeft={setLeft} />
      )}
    </Dialog>
  );
}

/** The webhooks that the member added, and the mails to its address as the accountant's. */
function Others({ left: { webhooks, accountantEmail } }: { left: Left }) {
  const [isStopped, setStopped] = useState(false);
  const stopping = useAction(removeAccountant, {
    changes: [readAccountant],
    onDone: () => setStopped(true),
    onFailed: (failure) => notifyFailure(texts.stopFailed, failure.message),
  });
  return (
    <div className={classes.form}>
      {webhooks.length === 0 ? null : (
        <div>
          <p className="soft">{texts.webhooksLead}</p>
          <ul>
            {webhooks.map(({ id, url }) => (
              <li key={id}>
                <Link to={`/developers/webhooks/${id}`}>{new URL(url).host}</Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {accountantEmail === null ? null : (
        <div>
          <p className="soft">{isStopped ? texts.stopped(accountantEmail) : texts.accountantLead(accountantEmail)}</p>
          {isStopped ? null : (
            <ActionButton
              call="removeAccountant"
              variant="default"
              running={stopping.running}
              onClick={() => void stopping.run({})}
            >
              {texts.stopMails}
            </ActionButton>
          )}
        </div>
      )}
    </div>
  );
}

function Removal({
  member: { id, name, dailyLimit },
  onClose,
  onLeft,
}: {
  member: Member;
  onClose: () => void;
  onLeft: (left: Left) => void;
}) {
  const removing = useAction(removeMember, {
    changes: [listMembers],
    onDone: (left) => {
      notifyDone(texts.removed(name));
      if (left.keys.length === 0 && left.webhooks.length === 0 && left.accountantEmail === null) onClose();
      else onLeft(left);
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
      {dailyLimit === null ? null : <Text className="soft">{texts.limitStays}</Text>}
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
      notifyFailure(texts.keysFailed, undefined, 'made keys');
      return;
    }
    notifyDone(texts.keysRevoked, undefined, 'made keys');
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
