-- Mails, and the events that caused them. An event has one key, so that it is told once, by mail and by webhook.

-- What customers have been told of, by mail or webhook: each event has one key, and happens once.
create table event_keys (
  dedupe_key text primary key,
  customer_id text references customers,
  happened_at timestamptz not null,
  check (customer_id is not null or dedupe_key like 'provider-pack:%')
);
create index event_keys_happened on event_keys (happened_at);
create index event_keys_customer on event_keys (customer_id);

-- Mail that is to be sent, written in the transaction of its cause. Each occasion is told of once, to each member of the customer whom it concerns.
create table mails (
  id text primary key check (id like 'MSG-%'),
  dedupe_key text not null,
  customer_id text references customers,
  recipient text not null,
  subject text not null check (subject !~ '[\r\n]'),
  body_text text not null,
  body_html text not null,
  -- Its paper is attached.
  document_id text references documents,
  created_at timestamptz not null,
  sent_at timestamptz,
  accountant_id text references accountants,
  -- The ZIP that is attached: the papers of this month, of the customer or, without one, of the provider.
  pack_month text check (pack_month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  -- The page on which the recipient stops such mails.
  stop_path text,
  thread_id text references support_threads,
  reply_to text check (reply_to !~ '[\r\n]'),
  -- Why the newest attempt to send it failed.
  fault text,
  -- To a member: what kind of mail it is, which says who may get it. Before it leaves that is asked again: it stays with us when the member was removed, or
  -- has a role that may not have it.
  member_id text references members,
  kind text check (kind in ('cycle.ending', 'quota.reached', 'payment.failed', 'refund.completed', 'webhook.disabled', 'support.answered', 'papers', 'bills', 'renewals',
    'service', 'keys', 'account')),
  withheld boolean not null default false,
  unique nulls not distinct (dedupe_key, member_id),
  foreign key (dedupe_key) references event_keys on delete cascade,
  check (customer_id is not null or dedupe_key like 'provider-pack:%'),
  check (pack_month is null or document_id is null),
  check (reply_to is null or thread_id is not null),
  check (fault is null or sent_at is null),
  check ((member_id is null) = (kind is null)),
  check (not withheld or sent_at is null and member_id is not null)
);
create index mails_created on mails (created_at);
create index mails_unsent on mails (created_at) where sent_at is null;
create index mails_member on mails (member_id) where member_id is not null;
create index mails_document on mails (document_id) where sent_at is null;
create index mails_of_accountants on mails (accountant_id) where accountant_id is not null and sent_at is null;
-- All that there is of one customer is found by index.
create index mails_customer on mails (customer_id);

-- The mail about a payment for several periods attaches a document for each; the first is in the mail itself.
create table mail_documents (
  mail_id text not null references mails on delete cascade,
  place integer not null check (place > 1),
  document_id text not null references documents,
  primary key (mail_id, place),
  unique (mail_id, document_id)
);
create index mail_documents_document on mail_documents (document_id);

-- Of mails only those with papers.
create trigger sealed after insert or update of id, customer_id, recipient, document_id, created_at, accountant_id, pack_month on mails for each row
  when (new.document_id is not null or new.pack_month is not null) execute function seal_record('id');
create trigger noted_for_ledger after insert or update of recipient, document_id, accountant_id, pack_month on mails for each row
  when (new.document_id is not null or new.pack_month is not null) execute function note_ledger_change('customer');
alter table mails enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on mail_documents for each row execute function seal_record('mail_id,place');
create trigger noted_for_ledger after insert or update or delete on mail_documents for each row execute function note_ledger_change('mail');
alter table mail_documents enable always trigger noted_for_ledger;
