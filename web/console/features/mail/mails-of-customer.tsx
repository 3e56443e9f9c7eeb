import { Button } from '@mantine/core';
import { useState } from 'react';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import classes from '#web/console/features/mail/mail.module.css';
import { actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When } from '#web/console/ui/cells.tsx';
import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { nextPage } from '#web/console/ui/next-page.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import { Dialog, DialogContent } from '#web/ui/dialog.tsx';

type Mail = OperatorReply<'listMails'>['mails'][number];

const resend = ({ id, sentAt }: Mail) =>
  actionOf({
    call: 'resendMail',
    title: sentAt === null ? 'Try to send a mail again' : 'Send a mail again',
    verb: 'Send again',
    about: 'To the same address; attached documents are their newest versions.',
    input: () => ({ mailId: id }),
  });

const columns: readonly Column<Mail>[] = [
  { header: 'Subject', text: ({ subject }) => subject },
  { header: 'To', text: ({ recipient }) => recipient },
  { header: 'Written', text: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    header: 'Sent',
    text: ({ sentAt }) => sentAt,
    cell: ({ sentAt, fault }) => (sentAt === null ? (fault ?? 'Waits') : <When at={sentAt} />),
  },
  { header: 'Text', cell: (mail) => <MailText mail={mail} /> },
  {
    header: 'Actions',
    cell: (mail) =>
      mail.sentAt === null && mail.fault === null ? null : <Actions list={[resend(mail)]} of={mail.subject} />,
  },
];

/** What was mailed, with its text. */
export function MailsOfCustomer({ customerId }: { customerId: string }) {
  const input = { customerId };
  return (
    <CallTable
      label="Mails"
      call="listMails"
      input={input}
      rows={({ mails }) => mails}
      next={nextPage(input)}
      rowKey={({ id }) => id}
      columns={columns}
      empty="Nothing was mailed yet."
    />
  );
}

function MailText({ mail: { id, subject } }: { mail: Mail }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" variant="subtle" color="gray" aria-label={`Read ${subject}`} onClick={() => setOpened(true)}>
        Read
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={subject} size={640}>
        <DialogContent>
          <LoadedCall call="readMail" input={{ mailId: id }} failed="The mail could not be read" height={160}>
            {({ text }) => <p className={classes.text}>{text}</p>}
          </LoadedCall>
        </DialogContent>
      </Dialog>
    </>
  );
}
