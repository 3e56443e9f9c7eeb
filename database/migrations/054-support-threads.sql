-- Messages to support become threads, in which the customer and the provider write in turn.
create table support_threads (
  id text primary key check (id like 'SUP-%'),
  customer_id text not null references customers,
  activation_id text references activations,
  subject text not null check (length(subject) between 1 and 120),
  -- OPEN waits for the provider, ANSWERED for the customer.
  status text not null default 'OPEN' check (status in ('OPEN', 'ANSWERED', 'CLOSED')),
  created_at timestamptz not null,
  -- Of the last message, or when it was closed.
  changed_at timestamptz not null check (changed_at >= created_at),
  -- Up to here the customer has read the replies.
  read_at timestamptz,
  unique (id, customer_id)
);
create index support_threads_customer on support_threads (customer_id, changed_at);
create index support_threads_open on support_threads (changed_at) where status = 'OPEN';

-- Each message so far was mailed, and answered by mail or not at all: an old one does not wait any more.
insert into support_threads
  select id, customer_id, activation_id, subject, case when created_at > now() - interval '30 days' then 'OPEN' else 'CLOSED' end,
    created_at, created_at, null from support_messages;

drop trigger support_messages_never_change on support_messages;
drop index support_messages_customer;
alter table support_messages
  drop constraint support_messages_id_check,
  add column thread_id text,
  add column author text not null default 'CUSTOMER' check (author in ('CUSTOMER', 'PROVIDER')),
  add column channel text not null default 'PORTAL' check (channel in ('PORTAL', 'COMMAND', 'MAIL')),
  -- The operator; the customer is known.
  add column written_by text check (length(written_by) between 1 and 200);
update support_messages set thread_id = id, id = 'SPM-' || substring(id from 5);
alter table support_messages
  add constraint support_messages_id_check check (id like 'SPM-%'),
  alter column thread_id set not null,
  alter column author drop default,
  alter column channel drop default,
  drop column activation_id,
  drop column subject,
  add foreign key (thread_id, customer_id) references support_threads (id, customer_id),
  add check ((author = 'PROVIDER') = (written_by is not null)),
  add check (not (author = 'CUSTOMER' and channel = 'COMMAND') and not (author = 'PROVIDER' and channel = 'PORTAL'));
create index support_messages_thread on support_messages (thread_id, created_at);
create trigger support_messages_never_change before update or delete on support_messages
  for each row execute function never_change();

-- A message moves its thread: the customer's opens it, also a closed one; the provider's answers it.
create function support_messages_move_thread() returns trigger language plpgsql as $$
begin
  update support_threads set status = case new.author when 'CUSTOMER' then 'OPEN' else 'ANSWERED' end,
      changed_at = greatest(changed_at, new.created_at)
    where id = new.thread_id;
  return null;
end $$;
create trigger support_messages_move_thread after insert on support_messages
  for each row execute function support_messages_move_thread();

-- Only its messages open and answer a thread; what it is about never changes, and what was read stays read.
create function support_threads_follow_messages() returns trigger language plpgsql as $$
begin
  if (new.id, new.customer_id, new.activation_id, new.subject, new.created_at)
      is distinct from (old.id, old.customer_id, old.activation_id, old.subject, old.created_at)
     or new.changed_at < old.changed_at or new.read_at < old.read_at or (new.read_at is null and old.read_at is not null)
     or (new.status <> old.status and new.status <> 'CLOSED' and new.status is distinct from
       (select case author when 'CUSTOMER' then 'OPEN' else 'ANSWERED' end from support_messages
         where thread_id = new.id order by created_at desc, author desc limit 1)) then
    raise exception 'thread % does not follow its messages', new.id;
  end if;
  return new;
end $$;
create trigger support_threads_follow_messages before update on support_threads
  for each row execute function support_threads_follow_messages();
create trigger support_threads_never_deleted before delete on support_threads
  for each row execute function never_change();

-- Mails about replies can be switched off: the portal shows them.
alter table customers
  drop constraint customers_mails_off_check,
  add constraint customers_mails_off_check check (
    mails_off <@ array['cycle.ending', 'quota.reached', 'payment.failed', 'refund.completed', 'webhook.disabled', 'support.answered']
  );
