import { Button } from '@mantine/core';
import { type Invitation, listMembers, revokeInvitation } from '#shared/contract/members.ts';
import { useAction } from '#web/api/use-call.ts';
import classes from '#web/features/members/members.module.css';
import { memberTexts as texts } from '#web/features/members/texts.ts';
import { roleTexts } from '#web/roles/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { dayOfInstant, dayText } from '#web/ui/localized-days.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { serverNow } from '#web/ui/server-time.ts';

const dayMs = 86_400_000;

/** Who is invited, who asks, and to whom the ownership is offered. */
export function InvitationsTable({
  invitations,
  isOwner,
  onApprove,
}: {
  invitations: readonly Invitation[];
  isOwner: boolean;
  onApprove: (invitation: Invitation) => void;
}) {
  return (
    <DataTable
      label={texts.openLabel}
      rows={invitations}
      rowKey={({ id }) => id}
      isOff={({ state }) => state === 'EXPIRED'}
      columns={columnsOf(isOwner, onApprove)}
    />
  );
}

function columnsOf(isOwner: boolean, onApprove: (invitation: Invitation) => void): DataColumn<Invitation>[] {
  const columns: DataColumn<Invitation>[] = [
    {
      key: 'email',
      header: texts.email,
      stack: 'top-left',
      cell: ({ email, name }) => (
        <>
          {name === null ? null : <div className="strong">{name}</div>}
          <div>{email}</div>
        </>
      ),
    },
    { key: 'role', header: texts.role, stack: 'left', cell: roleText },
    { key: 'state', header: texts.state, stack: 'right', cell: stateText },
  ];
  if (!isOwner) return columns;
  const cell = (invitation: Invitation) => <Actions invitation={invitation} onApprove={onApprove} />;
  return [...columns, { key: 'actions', header: texts.actions, quiet: true, align: 'right', stack: 'foot', cell }];
}

function roleText({ role, state }: Invitation): string {
  if (state === 'ASKED') return '–';
  return role === 'owner' ? texts.offered : roleTexts.names[role];
}

function stateText({ state, startsAt, endsAt }: Invitation): string {
  if (state === 'ASKED') return texts.asks;
  if (state === 'EXPIRED') return texts.expired;
  if (state === 'LATER') return texts.later(dayText(dayOfInstant(startsAt ?? '')));
  return texts.left(Math.max(1, Math.ceil((Date.parse(endsAt ?? '') - serverNow()) / dayMs)));
}

function Actions({ invitation, onApprove }: { invitation: Invitation; onApprove: (invitation: Invitation) => void }) {
  const { id, email, state, byProvider } = invitation;
  const revoking = useAction(revokeInvitation, {
    changes: [listMembers],
    onDone: () => notifyDone(texts.revoked),
    onFailed: (failure) => notifyFailure(texts.revokeFailed, failure.message),
  });
  const asks = state === 'ASKED';
  const word = byProvider ? texts.object : texts.revoke;
  const label = byProvider ? texts.objectTo(email) : texts.remindsRevoke(email);
  return (
    <div className={classes.actions}>
      {asks ? (
        <Button size="xs" variant="default" aria-label={texts.approveOf(email)} onClick={() => onApprove(invitation)}>
          {texts.approve}
        </Button>
      ) : null}
      <ActionButton
        call="revokeInvitation"
        size="xs"
        variant="subtle"
        color="gray"
        running={revoking.running}
        aria-label={asks ? texts.declineOf(email) : label}
        onClick={() => void revoking.run({ params: { invitationId: id } })}
      >
        {asks ? texts.decline : word}
      </ActionButton>
    </div>
  );
}
