import { Alert, Button, TextInput } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import {
  approveMember,
  changeMember,
  type GivenRole,
  type Invitation,
  inviteMember,
  listMembers,
  type Member,
  offerOwnership,
} from '#shared/contract/members.ts';
import type { CallFailure } from '#web/api/failures.ts';
import { useAction } from '#web/api/use-call.ts';
import classes from '#web/features/members/members.module.css';
import { RoleChoice } from '#web/features/members/role-choice.tsx';
import { memberTexts as texts } from '#web/features/members/texts.ts';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { roleTexts } from '#web/roles/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import type { MemberCallName } from '#shared/policies/members/rights.ts';

interface Opened {
  opened: boolean;
  onClose: () => void;
}

/** Invites an address as a member. */
export function InviteDialog({ opened, onClose }: Opened) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.invite}>
      <InviteForm onClose={onClose} />
    </Dialog>
  );
}

const uninvited: { email: string; role: GivenRole } = { email: '', role: 'developer' };

function InviteForm({ onClose }: { onClose: () => void }) {
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const contractForm = useContractForm(inviteMember, {
    initialValues: uninvited,
    input: (body) => ({ body }),
    fieldOfRefusal: (code) => (code === 'member_already' || code === 'invited_already' ? 'email' : undefined),
    onValuesChange: () => setFailure(null),
    changes: [listMembers],
    onDone: ({ email }) => {
      onClose();
      notifyDone(texts.invited, texts.invitedMore(email));
    },
    onFailed: (refused, isPlaced) => setFailure(isPlaced ? null : refused),
  });
  const { field, form, running, id } = contractForm;
  return (
    <>
      <DialogContent>
        <ContractForm of={contractForm} className={classes.form}>
          <p className="soft">{texts.inviteLead}</p>
          <TextInput
            {...field('email', texts.emailHint)}
            label={texts.email}
            type="email"
            autoComplete="off"
            spellCheck={false}
            required
            withAsterisk={false}
            data-autofocus
          />
          <RoleChoice
            label={texts.roleOf}
            value={form.values.role}
            onChange={(role) => form.setFieldValue('role', role)}
          />
          <Failure title={texts.notInvited} failure={failure} />
        </ContractForm>
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <ActionButton call="inviteMember" type="submit" form={id} running={running}>
          {running ? texts.sending : texts.send}
        </ActionButton>
      </DialogFoot>
    </>
  );
}

function Failure({ title, failure }: { title: string; failure: CallFailure | null }) {
  return failure === null ? null : (
    <Alert role="alert" color="red" icon={<CircleAlert size={18} />} title={title}>
      {failure.message}
    </Alert>
  );
}

/** Invites a colleague who asked. */
export function ApproveDialog({ invitation, ...dialog }: Opened & { invitation: Invitation | null }) {
  return (
    <Dialog {...dialog} title={texts.approveTitle}>
      {invitation === null ? null : <Approval invitation={invitation} onClose={dialog.onClose} />}
    </Dialog>
  );
}

function Approval({ invitation: { id, name, email }, onClose }: { invitation: Invitation; onClose: () => void }) {
  const [role, setRole] = useState<GivenRole>('viewer');
  const approving = useAction(approveMember, {
    changes: [listMembers],
    onDone: () => {
      onClose();
      notifyDone(texts.invited, texts.invitedMore(email));
    },
    onFailed: (failure) => notifyFailure(texts.approveFailed, failure.message),
  });
  return (
    <RoleForm
      call="approveMember"
      lead={texts.approveLead(name ?? email, email)}
      label={texts.roleOf}
      role={role}
      onChange={setRole}
      onClose={onClose}
      running={approving.running}
      word={approving.running ? texts.sending : texts.approve}
      onSend={() => void approving.run({ params: { invitationId: id }, body: { role } })}
    />
  );
}

/** Gives a member another role. */
export function RoleDialog({ member, ...dialog }: Opened & { member: Member | null }) {
  return (
    <Dialog {...dialog} title={texts.changeTitle(member?.name ?? '')}>
      {member === null || member.role === 'owner' ? null : (
        <NewRole member={member} now={member.role} onClose={dialog.onClose} />
      )}
    </Dialog>
  );
}

function NewRole({ member: { id, name }, now, onClose }: { member: Member; now: GivenRole; onClose: () => void }) {
  const [role, setRole] = useState(now);
  const changing = useAction(changeMember, {
    changes: [listMembers],
    onDone: ({ role: given }) => {
      onClose();
      notifyDone(texts.changed, texts.changedMore(name, roleTexts.names[given]));
    },
    onFailed: (failure) => notifyFailure(texts.changeFailed, failure.message),
  });
  return (
    <RoleForm
      call="changeMember"
      label={texts.roleOf}
      role={role}
      onChange={setRole}
      onClose={onClose}
      running={changing.running}
      isDisabled={role === now}
      word={changing.running ? texts.changing : texts.change}
      onSend={() => void changing.run({ params: { memberId: id }, body: { role } })}
    />
  );
}

/** Offers the ownership to a member. */
export function OfferDialog({ member, ...dialog }: Opened & { member: Member | null }) {
  return (
    <Dialog {...dialog} title={texts.offerTitle(member?.name ?? '')}>
      {member === null ? null : <Offer member={member} onClose={dialog.onClose} />}
    </Dialog>
  );
}

function Offer({ member: { id, name, email }, onClose }: { member: Member; onClose: () => void }) {
  const [formerRole, setFormerRole] = useState<GivenRole>('accountant');
  const offering = useAction(offerOwnership, {
    changes: [listMembers],
    onDone: () => {
      onClose();
      notifyDone(texts.offerSent, texts.invitedMore(email));
    },
    onFailed: (failure) => notifyFailure(texts.offerFailed, failure.message),
  });
  return (
    <RoleForm
      call="offerOwnership"
      lead={texts.offerLead(name)}
      label={texts.becomes}
      role={formerRole}
      onChange={setFormerRole}
      onClose={onClose}
      running={offering.running}
      word={offering.running ? texts.sending : texts.offerSend}
      onSend={() => void offering.run({ params: { memberId: id }, body: { formerRole } })}
    />
  );
}

function RoleForm({
  lead,
  label,
  role,
  onChange,
  onClose,
  call,
  word,
  running,
  isDisabled = false,
  onSend,
}: {
  lead?: string;
  label: string;
  role: GivenRole;
  onChange: (role: GivenRole) => void;
  onClose: () => void;
  call: MemberCallName;
  /** Of the button. */
  word: string;
  running: boolean;
  isDisabled?: boolean;
  onSend: () => void;
}) {
  return (
    <>
      <DialogContent>
        <div className={classes.form}>
          {lead === undefined ? null : <p className="soft">{lead}</p>}
          <RoleChoice label={label} value={role} onChange={onChange} />
        </div>
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <ActionButton call={call} running={running} disabled={isDisabled} onClick={onSend}>
          {word}
        </ActionButton>
      </DialogFoot>
    </>
  );
}
