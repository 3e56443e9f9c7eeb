import type { mailCalls } from '#shared/contract/operator/mail.ts';
import type { Db } from '#shared/database/connect.ts';
import { requireCustomer } from '#server/features/ownership/ownership.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { pageOf, pastPage } from '#server/operator-pages.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { requireResendable, resendMail } from './resend.ts';
import { withoutLinks } from './without-links.ts';

export const mailHandlers: Handlers<typeof mailCalls> = {
  listMails: {
    read: async ({ db }, { customerId, after, limit }) => {
      await requireCustomer(db, customerId);
      const read = await selectMails(db)
        .where('customer_id', '=', customerId)
        .where(await pastPage(db, 'mails', { time: 'created_at', id: 'id' }, after))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      const { rows, next } = pageOf(read, limit, ({ id }) => id);
      return { mails: rows.map(mailOf), next };
    },
  },
  readMail: {
    read: async ({ db }, { mailId }) => {
      const found = await selectMails(db)
        .select(['customer_id', 'body_text'])
        .where('id', '=', mailId.trim())
        .executeTakeFirst();
      if (!found || found.customer_id === null)
        throw new OperatorRefusal(`There is no mail ${mailId} to a customer.`, 'not_found');
      const { customer_id: customerId, body_text: text, ...mail } = found;
      return { ...mailOf(mail), customerId, text: withoutLinks(text) };
    },
  },
  resendMail: {
    preview: async ({ db }, { mailId }) => ({ ...(await requireResendable(db, mailId)), copyId: null }),
    perform: (operator, { mailId }, cause) => resendMail(operator, mailId, cause),
  },
};

const selectMails = (db: Db) =>
  db.selectFrom('mails').select(['id', 'recipient', 'subject', 'created_at', 'sent_at', 'fault', 'withheld']);

type MailRow = Awaited<ReturnType<ReturnType<typeof selectMails>['execute']>>[number];

const mailOf = ({ created_at: createdAt, sent_at: sentAt, fault, withheld, ...mail }: MailRow) => ({
  ...mail,
  fault: withheld ? 'Not sent: its member was removed, or may not have it in the role of then.' : fault,
  createdAt: createdAt.toISOString(),
  sentAt: sentAt?.toISOString() ?? null,
});
