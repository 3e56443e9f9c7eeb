import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { Info, ShieldCheck } from 'lucide-react';
import { useContext, useState } from 'react';
import type { CallReply } from '#shared/contract/call.ts';
import { readTwoStep, removeMemberPasskey, removePasskeysOf, switchTwoStep } from '#shared/contract/two-step.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { AddPasskey } from '#web/features/members/add-passkey.tsx';
import classes from '#web/features/members/members.module.css';
import { passkeyTexts as texts } from '#web/features/members/passkey-texts.ts';
import { useMay } from '#web/roles/use-role.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { dayOfInstant, dayText, instantText } from '#web/ui/localized-days.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { ReadOnly } from '#web/ui/read-only.ts';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { Section } from '#web/ui/section.tsx';
import { Loaded } from '#web/ui/states.tsx';

type TwoStep = CallReply<typeof readTwoStep>;
type Passkey = TwoStep['passkeys'][number];
type OfMember = TwoStep['members'][number];

/** Whether the account asks for passkeys, and the member’s own. */
export function PasskeysPanel() {
  const found = useCall(readTwoStep, {});
  return (
    <div id="passkeys">
      <Section title={texts.title}>
        <p className="soft">{texts.lead}</p>
        <Loaded of={found} word={texts.loading} failed={texts.failed} shape={<Skeleton height={160} radius="lg" />}>
          {(twoStep) => <Passkeys twoStep={twoStep} />}
        </Loaded>
      </Section>
    </div>
  );
}

function Passkeys({ twoStep }: { twoStep: TwoStep }) {
  const { isOn, passkeys, members } = twoStep;
  const isReadOnly = useContext(ReadOnly) !== null;
  const isOwner = useMay()('switchTwoStep');
  const hasNone = passkeys.length === 0;
  return (
    <>
      <div className={classes.state}>
        <span className="strong">{isOn ? texts.isOn : texts.isOff}</span>
        {isOwner && !isReadOnly ? <Switch isOn={isOn} disabled={hasNone} /> : null}
      </div>
      {hasNone && (isOn || isOwner) && !isReadOnly ? (
        <Alert color={isOn ? 'yellow' : 'gray'} icon={<Info size={18} />} mb={16}>
          {isOn ? texts.ownMissing : texts.ownFirst}
        </Alert>
      ) : null}
      {hasNone ? null : <Own passkeys={passkeys} isReadOnly={isReadOnly} />}
      {isReadOnly ? null : <AddPasskey needsIdentity={hasNone || !isOn} />}
      {isOn && members.length > 0 ? <OfMembers members={members} isReadOnly={isReadOnly} /> : null}
    </>
  );
}

function Switch({ isOn, disabled }: { isOn: boolean; disabled: boolean }) {
  const [asking, setAsking] = useState(false);
  const switching = useAction(switchTwoStep, {
    changes: [readTwoStep],
    onDone: () => {
      setAsking(false);
      notifyDone(isOn ? texts.switchedOff : texts.switchedOn);
    },
    onFailed: (failure) => notifyFailure(texts.notSwitched, failure.message),
  });
  return (
    <>
      <Button
        variant="default"
        disabled={disabled}
        leftSection={<ShieldCheck size={16} aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {isOn ? texts.switchOff : texts.switchOn}
      </Button>
      <Dialog opened={asking} onClose={() => setAsking(false)} title={isOn ? texts.offTitle : texts.onTitle}>
        <DialogContent>
          <Text className="soft">{isOn ? texts.offText : texts.onText}</Text>
        </DialogContent>
        <DialogFoot>
          <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
            {texts.cancel}
          </Button>
          <ActionButton
            call="switchTwoStep"
            {...(isOn && { color: 'red' })}
            running={switching.running}
            onClick={() => void switching.run({ body: { isOn: !isOn } })}
          >
            {isOn ? texts.switchOff : texts.switchOn}
          </ActionButton>
        </DialogFoot>
      </Dialog>
    </>
  );
}

function Own({ passkeys, isReadOnly }: { passkeys: readonly Passkey[]; isReadOnly: boolean }) {
  const [asked, setAsked] = useState<Passkey | null>(null);
  const [opened, setOpened] = useState(false);
  const removing = useAction(removeMemberPasskey, {
    changes: [readTwoStep],
    onDone: () => {
      setOpened(false);
      notifyDone(texts.removed);
    },
    onFailed: (failure) => notifyFailure(texts.notRemoved, failure.message),
  });
  const ask = (passkey: Passkey) => {
    setAsked(passkey);
    setOpened(true);
  };
  return (
    <>
      <DataTable
        label={texts.own}
        rows={passkeys}
        rowKey={({ id }) => id}
        columns={ownColumns(isReadOnly ? null : ask)}
      />
      <Dialog opened={opened} onClose={() => setOpened(false)} title={texts.removeTitle(asked?.name ?? '')}>
        <RemoveQuestion
          call="removeMemberPasskey"
          keep={texts.keep}
          onKeep={() => setOpened(false)}
          remove={texts.remove}
          running={removing.running}
          onRemove={() => asked !== null && void removing.run({ params: { passkeyId: asked.id } })}
        >
          <Text className="soft">{texts.removeText}</Text>
        </RemoveQuestion>
      </Dialog>
    </>
  );
}

/** For the owner: who has none yet, and who has lost them. */
function OfMembers({ members, isReadOnly }: { members: readonly OfMember[]; isReadOnly: boolean }) {
  const [asked, setAsked] = useState<OfMember | null>(null);
  const [opened, setOpened] = useState(false);
  const name = asked?.name ?? '';
  const removing = useAction(removePasskeysOf, {
    changes: [readTwoStep],
    onDone: () => {
      setOpened(false);
      notifyDone(texts.lostDone(name));
    },
    onFailed: (failure) => notifyFailure(texts.notRemoved, failure.message),
  });
  const ask = (member: OfMember) => {
    setAsked(member);
    setOpened(true);
  };
  return (
    <Section title={texts.ofMembers}>
      <DataTable
        label={texts.ofMembers}
        rows={members}
        rowKey={({ memberId }) => memberId}
        columns={memberColumns(isReadOnly ? null : ask)}
      />
      <Dialog opened={opened} onClose={() => setOpened(false)} title={texts.lostTitle(name)}>
        <RemoveQuestion
          call="removePasskeysOf"
          keep={texts.keep}
          onKeep={() => setOpened(false)}
          remove={texts.lost}
          running={removing.running}
          onRemove={() => asked !== null && void removing.run({ params: { memberId: asked.memberId } })}
        >
          <Text className="soft">{texts.lostText(name)}</Text>
        </RemoveQuestion>
      </Dialog>
    </Section>
  );
}

function ownColumns(onRemove: ((passkey: Passkey) => void) | null): DataColumn<Passkey>[] {
  const columns: DataColumn<Passkey>[] = [
    { key: 'name', header: texts.name, stack: 'top-left', cell: ({ name }) => name },
    {
      key: 'added',
      header: texts.added,
      stack: 'left',
      labelled: true,
      cell: ({ createdAt }) => <span className="num">{dayText(dayOfInstant(createdAt))}</span>,
    },
    {
      key: 'used',
      header: texts.used,
      stack: 'right',
      labelled: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.never : instantText(lastUsedAt)),
    },
  ];
  if (onRemove === null) return columns;
  const action: DataColumn<Passkey> = {
    key: 'actions',
    header: texts.actions,
    quiet: true,
    align: 'right',
    stack: 'foot',
    cell: (passkey) => (
      <Button variant="default" size="xs" aria-label={texts.removeOf(passkey.name)} onClick={() => onRemove(passkey)}>
        {texts.remove}
      </Button>
    ),
  };
  return [...columns, action];
}

function memberColumns(onRemove: ((member: OfMember) => void) | null): DataColumn<OfMember>[] {
  const columns: DataColumn<OfMember>[] = [
    { key: 'member', header: texts.member, stack: 'top-left', cell: (member) => member.name },
    { key: 'count', header: texts.passkeys, stack: 'left', cell: ({ passkeys }) => texts.count(passkeys) },
    {
      key: 'actions',
      header: texts.actions,
      quiet: true,
      align: 'right',
      stack: 'foot',
      cell: (member) =>
        member.passkeys === 0 || onRemove === null ? null : (
          <Button variant="default" size="xs" aria-label={texts.lostOf(member.name)} onClick={() => onRemove(member)}>
            {texts.lost}
          </Button>
        ),
    },
  ];
  return columns;
}
