import type { Command } from 'commander';
import { act, type ActionOptions, commandFor, show } from '#cli/operator.ts';
import { linesOfPage, type PageOptions, withPageOptions } from '#cli/pages.ts';
import { listCycles } from '#shared/contract/operator/cycles.ts';
import { listDocuments } from '#shared/contract/operator/documents.ts';
import { listMails, readMail, resendMail } from '#shared/contract/operator/mail.ts';
import { listRefunds } from '#shared/contract/operator/refunds.ts';
import { readRequests } from '#shared/contract/operator/request-log.ts';
import { listWebhooks } from '#shared/contract/operator/webhooks.ts';
import { istTime } from '#shared/domain/day.ts';
import { titleOf } from '#shared/domain/document.ts';
import { missingCallsText } from '#shared/domain/missing-calls.ts';
import { formatMoney, toPaise } from '#shared/domain/money.ts';
import { formatNumber } from '#shared/domain/number-text.ts';

const time = (at: string): string => istTime(new Date(at));
const money = (amount: number, currency = 'INR'): string => formatMoney(toPaise(amount), currency);
const joined = (...parts: (string | null)[]): string => parts.filter((part) => part !== null).join('  ');

/** `octroi customers plans`, `refunds`, `documents`, `mails`, `mail`, `resend`, `webhooks` and `calls`: what a customer has, in full. */
export function addRecordCommands(customers: Command): void {
  withPageOptions(commandFor(listCycles, customers.command('plans <customer>')))
    .description('List the plans and packs of a customer, newest first, with the quota that running ones have used.')
    .action(async (customerId: string, { limit, after, ...options }: PageOptions) => {
      await show(listCycles, { customerId, limit, after }, options, ({ cycles, next }) =>
        linesOfPage(
          cycles.map(({ id, planName, status, fromDate, toDate, price, granted, used, ...cycle }) => {
            const state = granted === null ? status : `GRANTED: ${granted}`;
            const quota = `${formatNumber(cycle.dailyQuota)} a day, ${formatNumber(cycle.monthlyQuota)} in all`;
            const units = used && `used ${formatNumber(used.today)} today, ${formatNumber(used.inAll)} in all`;
            return joined(id, planName, `${fromDate} to before ${toDate}`, money(price), state, quota, units);
          }),
          next,
          'No plans.',
        ),
      );
    });
  withPageOptions(commandFor(listRefunds, customers.command('refunds <customer>')))
    .description('List the refunds of a customer, newest first.')
    .action(async (customerId: string, { limit, after, ...options }: PageOptions) => {
      await show(listRefunds, { customerId, limit, after }, options, ({ refunds, next }) =>
        linesOfPage(
          refunds.map(({ id, createdAt, amount, currency, status, paymentId, reason, utr, refusal }) =>
            joined(id, time(createdAt), money(amount, currency), status, paymentId, reason, utr, refusal),
          ),
          next,
          'No refunds.',
        ),
      );
    });
  withPageOptions(commandFor(listDocuments, customers.command('documents <customer>')))
    .description('List the documents of a customer, newest first.')
    .action(async (customerId: string, { limit, after, ...options }: PageOptions) => {
      await show(listDocuments, { customerId, limit, after }, options, ({ documents, next }) =>
        linesOfPage(
          documents.map(({ number, kind, issuedOn, total, refersTo, registration, refused }) =>
            joined(
              number,
              titleOf({ kind }),
              issuedOn,
              money(total),
              refersTo && `follows ${refersTo}`,
              registration?.toLowerCase() ?? null,
              refused && `${refused.code}: ${refused.reason}`,
            ),
          ),
          next,
          'No documents.',
        ),
      );
    });
  withPageOptions(commandFor(listMails, customers.command('mails <customer>')))
    .description('List the mails to a customer, newest first.')
    .action(async (customerId: string, { limit, after, ...options }: PageOptions) => {
      await show(listMails, { customerId, limit, after }, options, ({ mails, next }) =>
        linesOfPage(
          mails.map(({ id, createdAt, sentAt, fault, recipient, subject }) =>
            joined(id, time(createdAt), sentAt === null ? 'not sent yet' : 'sent', recipient, subject, fault),
          ),
          next,
          'No mails.',
        ),
      );
    });
  commandFor(readMail, customers.command('mail <mail>'))
    .description('Show a mail to a customer with its text; its links work without a sign-in, and are left out.')
    .action(async (mailId: string, options: { json?: boolean }) => {
      await show(readMail, { mailId }, options, ({ recipient, subject, createdAt, text }) => [
        `${time(createdAt)}  to ${recipient}: ${subject}`,
        '',
        ...text.split('\n'),
      ]);
    });
  commandFor(resendMail, customers.command('resend <mail>'))
    .description('Send a mail to a customer again, to the same address; one that could not be sent is tried again.')
    .addHelpText('after', '\nExample:\n  octroi customers resend MSG-7K2M9QX4TB01 --reason "Asked by phone"')
    .action((mailId: string, options: ActionOptions) =>
      act(resendMail, { mailId }, options, {
        did: 'sent',
        effect: ({ recipient, subject, text, fault }) => [
          `To ${recipient}: ${subject}${fault === null ? '' : `, which could not be sent: ${fault}`}`,
          '',
          ...text.split('\n'),
        ],
        question: 'Send it again?',
        done: ({ copyId, recipient }) => [`The running portal sends ${copyId ?? mailId} to ${recipient}.`],
      }),
    );
  commandFor(listWebhooks, customers.command('webhooks <customer>'))
    .description('List the webhooks of a customer with their newest failures.')
    .action(async (customerId: string, options: { json?: boolean }) => {
      await show(listWebhooks, { customerId }, options, ({ webhooks }) =>
        linesOfPage(
          webhooks.flatMap(({ id, url, disabledReason, failingSince, failures }) => [
            joined(
              id,
              url,
              disabledReason && `off: ${disabledReason}`,
              failingSince && `fails since ${time(failingSince)}`,
            ),
            ...failures.map(({ id: delivery, event, status, tries, responseStatus, fault }) =>
              joined(
                `  ${delivery}`,
                event,
                status,
                `${tries} tries`,
                responseStatus === null ? null : String(responseStatus),
                fault,
              ),
            ),
          ]),
          null,
          'No webhooks.',
        ),
      );
    });
  withPageOptions(commandFor(readRequests, customers.command('calls <activation>')))
    .description('List the calls of an activation, newest first, and why those that failed did.')
    .option('--status <status>', 'only those, such as 429 or 5xx')
    .option('--find <text>', 'a request id, or words in the method, path or problem')
    .action(
      async (
        activationId: string,
        { limit, after, status, find: q, ...options }: PageOptions & { status?: string; find?: string },
      ) => {
        await show(readRequests, { activationId, limit, after, status, q }, options, ({ requests, ...page }) =>
          linesOfPage(
            [
              ...missingCallsText(page),
              ...requests.map(({ requestId, at, method, path, status: answered, units, why }) =>
                joined(requestId, time(at), `${method} ${path}`, String(answered), `${units} units`, why),
              ),
            ],
            page.next,
            'No calls.',
          ),
        );
      },
    );
}
