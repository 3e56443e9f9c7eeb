-- What customers have been told of, by mail or webhook: each event has one key, and happens once.
create table event_keys (
  dedupe_key text primary key,
  customer_id text not null references customers,
  happened_at timestamptz not null
);
create index event_keys_happened on event_keys (happened_at);

insert into event_keys (dedupe_key, customer_id, happened_at)
  select occasion, customer_id, created_at from mails
  union all
  select occasion, customer_id, created_at from webhook_events where type <> 'webhook.test'
  on conflict do nothing;

-- A mail tells of one event, and is kept as long as its key.
alter table mails rename column occasion to dedupe_key;
alter table mails rename constraint mails_occasion_key to mails_dedupe_key_key;
alter table mails add foreign key (dedupe_key) references event_keys on delete cascade;

alter table webhook_events drop column occasion;
