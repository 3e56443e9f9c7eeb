-- Replies by mail: each side of a thread has an address that nobody can guess (122 random bits).
alter table support_threads
  add column customer_token text not null default replace(gen_random_uuid()::text, '-', '') check (customer_token ~ '^[0-9a-f]{32}$'),
  add column provider_token text not null default replace(gen_random_uuid()::text, '-', '') check (provider_token ~ '^[0-9a-f]{32}$'),
  add constraint support_threads_customer_token unique (customer_token),
  add constraint support_threads_provider_token unique (provider_token),
  add check (customer_token <> provider_token);

alter table support_messages
  -- Of the mail that it came by: one mail is one message.
  add column mail_hash bytea unique check (length(mail_hash) = 32),
  -- Files of the mail that were not taken.
  add column left_out integer not null default 0 check (left_out between 0 and 1000000),
  drop constraint support_messages_message_check,
  add constraint support_messages_message_check check (length(message) between 1 and case channel when 'MAIL' then 20000 else 5000 end),
  add check ((channel = 'MAIL') = (mail_hash is not null)),
  add check (left_out = 0 or channel = 'MAIL');

alter table mails
  add column thread_id text references support_threads,
  add column reply_to text check (reply_to !~ '[\r\n]'),
  add check (reply_to is null or thread_id is not null);
