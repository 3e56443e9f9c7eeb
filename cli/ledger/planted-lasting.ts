import type { Renewal } from './planted-renewals.ts';

const secondAbroad = `(select id from documents where content ->> 'tax' = 'NONE' order by sequence offset 1 limit 1)`;

const amendment = (document: string, at: string, content: string): string =>
  `insert into amendments select d.id, d.customer_id, ${at}, ((${at}) at time zone 'Asia/Kolkata')::date, ${content} from documents d where ${document}`;

/** Made with the seals on, these look like the portal's own; what lies beside them says that they are not. */
export const lastingRenewals: readonly Renewal[] = [
  {
    what: 'a registration is cancelled, and nothing replaces its invoice',
    of: ['e_invoices'],
    change: [`update e_invoices set cancelled_at = ack_at + interval '1 hour', cancel_reason = '2'`],
    says: /the registration of document \S+ is cancelled, which is not what the audit log says/,
  },
  {
    what: 'a letter of undertaking no longer covers what was issued under it',
    of: ['letters_of_undertaking'],
    change: [
      `update letters_of_undertaking set from_date = from_date + interval '1 year', last_date = last_date + interval '1 year'
        where arn in (select content ->> 'lut' from documents)`,
    ],
    says: /document \S+ bears no tax and no letter of undertaking covers \d/,
  },
  {
    what: 'a declaration was withdrawn before the invoice that rests on it',
    of: ['tax_claims'],
    change: [`update tax_claims set withdrawn_at = declared_at where id <> 'CLM-X'`],
    says: /document \S+ is EXPWOP, which its buyer had not declared/,
  },
  {
    what: 'a registration is made up',
    of: ['e_invoices'],
    change: [
      `insert into e_invoices (document_id, irn, ack_number, ack_at, signed_qr, signed_invoice)
        values (${secondAbroad}, repeat('cd', 32), '2', now(), 'x', 'x')`,
    ],
    says: /the registration of document \S+ is of another one/,
  },
  {
    what: 'a registered invoice is amended to another buyer',
    of: ['amendments'],
    change: [
      amendment(
        `d.id = (select document_id from e_invoices where ack_number = '1')`,
        'now()',
        `jsonb_set(d.content, '{recipient,gstin}', '"29ZZZCA0001A1Z0"')`,
      ),
    ],
    says: /document \S+ cannot be amended to that/,
  },
  {
    what: 'an invoice is amended years later',
    of: ['amendments'],
    change: [amendment(`d.id = ${secondAbroad}`, `now() + interval '800 days'`, 'd.content')],
    says: /document \S+ is amended after 30 November/,
  },
  {
    what: 'a document is amended in a month whose returns are filed',
    of: ['amendments'],
    change: [amendment(`d.kind = 'RECEIPT_VOUCHER'`, `now() - interval '40 days'`, 'd.content')],
    says: /document \S+ was amended on \S+, and that month was locked/,
  },
  {
    what: 'an invoice that was replaced is amended',
    of: ['documents', 'amendments'],
    change: [
      amendment(`d.kind = 'REFUND_VOUCHER'`, 'now()', 'd.content'),
      `update documents set kind = 'INVOICE', sequence = 99, issued_at = issued_at - interval '2 days', issued_on = issued_on - 2,
        refers_to = (select id from documents where kind = 'REFUND_VOUCHER') where kind = 'RECEIPT_VOUCHER'`,
    ],
    says: /document \S+ was replaced before it was amended/,
  },
  {
    what: 'prices are put on sale without a word in the audit log',
    of: ['catalog_versions'],
    change: [`insert into catalog_versions values (2, sha256(''), now(), 'test', 'Cheaper', now())`],
    says: /catalogue version 2 is on sale, which is not in the audit log/,
    atNight: true,
  },
  {
    what: 'a document no longer waits for its registration, though nothing was refused',
    of: ['e_invoice_waits'],
    change: [`update e_invoice_waits set closed_at = now() where document_id = ${secondAbroad}`],
    says: /document \S+ no longer waits for its registration, and its invoice was not refused/,
  },
  {
    what: 'the mails of a customer go to somebody else',
    of: ['customers'],
    change: [`update customers set email = 'other@example.com'`],
    says: /the account of \S+ has been changed/,
    onlyUnsealed: true,
  },
  {
    what: 'somebody else signs in as a customer',
    of: ['members'],
    change: [`update members set google_sub = 'other ' || id where id = (select min(id) from members)`],
    says: /member \S+ has been changed/,
  },
  {
    what: 'a member has a passkey that nobody added',
    of: ['member_passkeys'],
    change: [
      `insert into member_passkeys select 'PSK-Z', customer_id, id, 'planted', 'key', 0, 'Laptop', now(), null, 'localhost' from members where role = 'owner' limit 1`,
    ],
    says: /passkey PSK-Z of member MEM-\S+ is not in the log/,
  },
  {
    what: 'a customer asks for passkeys whom nobody asked to',
    of: ['customers'],
    change: [`update customers set two_step = true where id = (select min(id) from customers where erased_at is null)`],
    says: /customer \S+ asks for passkeys, which is not what the log says/,
  },
  {
    what: 'a mail with an invoice is deleted before its time',
    of: ['mails'],
    change: [`delete from mails where id = 'MSG-X'`],
    says: /mail MSG-X is missing/,
  },
  {
    what: 'a secret was replaced',
    of: ['installation_secrets'],
    change: [`update installation_secrets set secret = sha256('other')`],
    says: /secret download-links has been changed/,
    atNight: true,
  },
];
