import { Avatar, Button, Checkbox, Menu, Skeleton } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import { Suspense, useContext, useRef, useState } from 'react';
import { readAccountant } from '#shared/contract/accountants.ts';
import { type Invitation, type Member, allowColleagues, inviteMember, listMembers } from '#shared/contract/members.ts';
import type { CallReply } from '#shared/contract/call.ts';
import { isSameAddress } from '#shared/domain/google-address.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { InvitationsTable } from '#web/features/members/invitations-table.tsx';
import { ApproveDialog, InviteDialog, OfferDialog, RoleDialog } from '#web/features/members/member-dialogs.tsx';
import { OwnAccount } from '#web/features/members/own-account.tsx';
import { LeaveDialog, RemoveDialog } from '#web/features/members/end-dialogs.tsx';
import { LimitDialog } from '#web/features/members/limit-dialog.tsx';
import classes from '#web/features/members/members.module.css';
import { memberTexts as texts } from '#web/features/members/texts.ts';
import { roleTexts } from '#web/roles/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { dayOfInstant, dayText } from '#web/ui/localized-days.ts';
import { lazyComponent } from '#web/ui/load-code.ts';
import { MoreMenu } from '#web/ui/more-menu.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { PanelHead } from '#web/ui/panel-head.tsx';
import { ReadOnly } from '#web/ui/read-only.ts';
import { Section } from '#web/ui/section.tsx';
import { Loaded } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { IfMay } from '#web/roles/if-may.tsx';
import { useMay } from '#web/roles/use-role.ts';

const PasskeysPanel = lazyComponent(
  async () => (await import('#web/features/members/passkeys-panel.tsx')).PasskeysPanel,
);

type Members = CallReply<typeof listMembers>;

/** What is asked about a member. */
interface Asked {
  what: 'role' | 'limit' | 'remove' | 'offer';
  member: Member;
}

/** Who works in the account, and who is invited. */
export function MembersPanel({ customerName }: { customerName: string }) {
  const members = useCall(listMembers, {});
  return (
    <Loaded of={members} word={texts.loading} failed={texts.failed} shape={<Skeleton height={640} radius="lg" />}>
      {(found) => <Members found={found} customerName={customerName} />}
    </Loaded>
  );
}

function Members({ found, customerName }: { found: Members; customerName: string }) {
  const { members, invitations, domain, mayAsk } = found;
  const isReadOnly = useContext(ReadOnly) !== null;
  const own = members.find(({ isSelf }) => isSelf);
  const isOwner = useMay()('changeMember') && !isReadOnly;
  const [isInviting, setInviting] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [opened, setOpened] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [approved, setApproved] = useState<Invitation | null>(null);
  const [isApproving, setApproving] = useState(false);
  const ask = (what: Asked['what'], member: Member) => {
    setAsked({ what, member });
    setOpened(true);
  };
  const dialog = (what: Asked['what']) => ({
    member: asked?.member ?? null,
    opened: opened && asked?.what === what,
    onClose: () => setOpened(false),
  });
  return (
    <>
      <PanelHead lead={members.length === 1 ? texts.alone : texts.lead}>
        {isOwner ? (
          <Button leftSection={<UserPlus size={16} aria-hidden="true" />} onClick={() => setInviting(true)}>
            {texts.invite}
          </Button>
        ) : null}
      </PanelHead>
      <DataTable
        label={texts.title}
        rows={members}
        rowKey={({ id }) => id}
        columns={columnsOf(isOwner && members.some(hasMenu), ask)}
      />
      {invitations.length === 0 ? null : (
        <Section title={texts.open}>
          <InvitationsTable
            invitations={invitations}
            isOwner={isOwner}
            onApprove={(invitation) => {
              setApproved(invitation);
              setApproving(true);
            }}
          />
        </Section>
      )}
      {isReadOnly ? null : (
        <IfMay call="inviteMember">
          <AccountantOffer found={found} />
        </IfMay>
      )}
      {isReadOnly || domain === null ? null : (
        <IfMay call="allowColleagues">
          <Colleagues domain={domain} mayAsk={mayAsk} />
        </IfMay>
      )}
      <Suspense fallback={<Skeleton height={320} radius="lg" />}>
        <PasskeysPanel />
      </Suspense>
      {own !== undefined && own.role !== 'owner' ? (
        <div className={classes.own}>
          <OwnAccount />
          <Button variant="default" onClick={() => setLeaving(true)}>
            {texts.leave}
          </Button>
        </div>
      ) : null}
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} />
      <ApproveDialog invitation={approved} opened={isApproving} onClose={() => setApproving(false)} />
      <RoleDialog {...dialog('role')} />
      <OfferDialog {...dialog('offer')} />
      <LimitDialog {...dialog('limit')} />
      <RemoveDialog {...dialog('remove')} />
      <LeaveDialog customerName={customerName} opened={isLeaving} onClose={() => setLeaving(false)} />
    </>
  );
}

/** An owner who was limited as a developer can end that. */
const hasMenu = ({ role, dailyLimit }: Member): boolean => role !== 'owner' || dailyLimit !== null;

function columnsOf(withMenu: boolean, onAsk: (what: Asked['what'], member: Member) => void): DataColumn<Member>[] {
  const columns: DataColumn<Member>[] = [
    { key: 'name', header: texts.name, stack: 'top-left', cell: (member) => <Person member={member} /> },
    { key: 'role', header: texts.role, stack: 'left', cell: (member) => <Role member={member} /> },
    {
      key: 'joined',
      header: texts.joined,
      stack: 'bottom',
      labelled: true,
      cell: ({ joinedAt }) => <span className="num">{dayText(dayOfInstant(joinedAt))}</span>,
    },
  ];
  if (!withMenu) return columns;
  const cell = (member: Member) => (hasMenu(member) ? <MemberMenu member={member} onAsk={onAsk} /> : null);
  return [...columns, { key: 'actions', header: texts.actions, quiet: true, align: 'right', stack: 'foot', cell }];
}

function Person({ member: { name, email, picture, isSelf } }: { member: Member }) {
  return (
    <div className={classes.person}>
      <Avatar src={picture || null} size={36} color="brand" alt="" imageProps={{ referrerPolicy: 'no-referrer' }}>
        {name.slice(0, 1).toUpperCase()}
      </Avatar>
      <div>
        <div className="strong">
          {name} {isSelf ? <StatusBadge status="ACTIVE" text={texts.you} isMuted /> : null}
        </div>
        <div className="soft">{email}</div>
      </div>
    </div>
  );
}

function Role({ member: { role, dailyLimit } }: { member: Member }) {
  return (
    <>
      {roleTexts.names[role]}
      {dailyLimit === null ? null : <div className="soft">{texts.limitOf(formatNumber(dailyLimit))}</div>}
    </>
  );
}

function MemberMenu({ member, onAsk }: { member: Member; onAsk: (what: Asked['what'], member: Member) => void }) {
  const opener = useRef<HTMLButtonElement>(null);
  const open = (what: Asked['what']) => () => {
    opener.current?.focus();
    onAsk(what, member);
  };
  return (
    <MoreMenu label={texts.moreFor(member.name)} opener={opener}>
      {member.role === 'owner' ? null : <Menu.Item onClick={open('role')}>{texts.change}</Menu.Item>}
      <Menu.Item onClick={open('limit')}>{texts.limit}</Menu.Item>
      {member.role === 'owner' ? null : (
        <>
          <Menu.Item onClick={open('offer')}>{texts.offer}</Menu.Item>
          <Menu.Item color="red" onClick={open('remove')}>
            {texts.remove}
          </Menu.Item>
        </>
      )}
    </MoreMenu>
  );
}

/** The accountant who gets the papers by mail may become a member; accepting ends those mails. */
function AccountantOffer({ found: { members, invitations } }: { found: Members }) {
  const email = useCall(readAccountant, {}).data?.accountant?.email;
  const inviting = useAction(inviteMember, {
    changes: [listMembers],
    onDone: (invited) => notifyDone(texts.invited, texts.invitedMore(invited.email)),
    onFailed: (failure) => notifyFailure(texts.notInvited, failure.message),
  });
  const isOpen = ({ email: other }: { email: string }) => email !== undefined && isSameAddress(other, email);
  if (email === undefined || members.some(isOpen) || invitations.some(isOpen)) return null;
  return (
    <div className={classes.offer}>
      <p className="soft">{texts.accountantHint(email)}</p>
      <ActionButton
        call="inviteMember"
        variant="default"
        running={inviting.running}
        onClick={() => void inviting.run({ body: { email, role: 'accountant' } })}
      >
        {texts.inviteAccountant}
      </ActionButton>
    </div>
  );
}

/** Lets colleagues of the Workspace ask; saved at once. */
function Colleagues({ domain, mayAsk }: { domain: string; mayAsk: boolean }) {
  const saving = useAction(allowColleagues, {
    changes: [listMembers],
    onDone: () => notifyDone(texts.colleaguesSaved),
    onFailed: (failure) => notifyFailure(texts.colleaguesFailed, failure.message),
  });
  return (
    <Checkbox
      mt={32}
      label={texts.colleagues(domain)}
      description={texts.colleaguesHint}
      checked={mayAsk}
      aria-disabled={saving.running}
      onChange={(event) => void saving.run({ body: { mayAsk: event.currentTarget.checked } })}
    />
  );
}
