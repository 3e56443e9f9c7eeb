-- Threads with support, from pages, commands and mails. A thread has a token for each side, with which a mail finds its thread.

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
  -- Replies by mail: each side of a thread has an address that nobody can guess (122 random bits).
  customer_token text not null default replace(gen_random_uuid()::text, '-', '') check (customer_token ~ '^[0-9a-f]{32}$'),
  provider_token text not null default replace(gen_random_uuid()::text, '-', '') check (provider_token ~ '^[0-9a-f]{32}$'),
  unique (id, customer_id),
  constraint support_threads_customer_token unique (customer_token),
  constraint support_threads_provider_token unique (provider_token),
  -- The operator who looks after it; a removed operator looks after none.
  assigned_to text references operators,
  check (customer_token <> provider_token)
);
create index support_threads_assigned on support_threads (assigned_to) where assigned_to is not null;
create index support_threads_customer on support_threads (customer_id, changed_at);
-- What waits longest comes first, in each status and in all.
create index support_threads_status on support_threads (status, changed_at, id);
create index support_threads_changed on support_threads (changed_at, id);

-- What customers write to the provider. Kept here and mailed; never changed.
create table support_messages (
  id text primary key check (id like 'SPM-%'),
  customer_id text not null references customers,
  message text not null,
  created_at timestamptz not null,
  thread_id text not null,
  author text not null check (author in ('CUSTOMER', 'PROVIDER')),
  channel text not null check (channel in ('PORTAL', 'COMMAND', 'MAIL')),
  -- The operator; the customer is known.
  written_by text check (length(written_by) between 1 and 200),
  -- Of the mail that it came by: one mail is one message.
  mail_hash bytea unique check (length(mail_hash) = 32),
  -- Files of the mail that were not taken.
  left_out integer not null default 0 check (left_out between 0 and 1000000),
  -- Who of the customer, where that is known.
  member_id text references members,
  foreign key (thread_id, customer_id) references support_threads (id, customer_id),
  unique (id, customer_id),
  constraint support_messages_check check ((author = 'PROVIDER') = (written_by is not null)),
  constraint support_messages_check1 check (not (author = 'CUSTOMER' and channel = 'COMMAND') and not (author = 'PROVIDER' and channel = 'PORTAL')),
  constraint support_messages_message_check check (length(message) between 1 and case channel when 'MAIL' then 20000 else 5000 end),
  constraint support_messages_check2 check ((channel = 'MAIL') = (mail_hash is not null)),
  constraint support_messages_member check (member_id is null or author = 'CUSTOMER'),
  constraint support_messages_check3 check (left_out = 0 or channel = 'MAIL')
);
create index support_messages_thread on support_messages (thread_id, created_at);
create index support_messages_customer on support_messages (customer_id, author, created_at);

-- A message moves its thread: the customer's opens it, also a closed one; the provider's answers it.
create or replace function support_messages_move_thread() returns trigger language plpgsql as $$
begin
  update support_threads set status = case new.author when 'CUSTOMER' then 'OPEN' else 'ANSWERED' end,
      changed_at = greatest(changed_at, new.created_at)
    where id = new.thread_id;
  return null;
end $$;
create trigger support_messages_move_thread after insert on support_messages
  for each row execute function support_messages_move_thread();

-- Only its messages open and answer a thread; what it is about never changes, and what was read stays read.
create or replace function support_threads_follow_messages() returns trigger language plpgsql as $$
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

-- Files of messages, by customers and operators, from pages and mails. Their type is that of their content.
create table support_files (
  id text primary key check (id like 'SPF-%'),
  customer_id text not null references customers,
  message_id text not null,
  position integer not null check (position between 1 and 5),
  name text not null check (length(name) between 1 and 210),
  type text not null check (type in ('application/pdf', 'image/jpeg', 'image/png', 'text/plain')),
  bytes integer not null check (bytes between 1 and 4000000),
  content bytea not null,
  foreign key (message_id, customer_id) references support_messages (id, customer_id),
  unique (message_id, position),
  constraint support_files_bytes check (octet_length(content) = bytes)
);
create index support_files_customer on support_files (customer_id);

-- 4 MB for a message, 50 MB for all that a customer sends; the lock lets two messages at once be no exception.
create or replace function support_files_limits() returns trigger language plpgsql as $$
begin
  perform from customers where id = new.customer_id for no key update;
  if (select sum(bytes) from support_files where message_id = new.message_id) > 4000000 then
    raise exception 'message % has more files than 4 MB', new.message_id using errcode = 'check_violation', constraint = 'support_files_of_message';
  end if;
  if (select sum(f.bytes) filter (where m.author = 'CUSTOMER') from support_files f join support_messages m on m.id = f.message_id
      where f.customer_id = new.customer_id) > 50000000 then
    raise exception 'customer % has sent more files than 50 MB', new.customer_id using errcode = 'check_violation', constraint = 'support_files_of_customer';
  end if;
  return null;
end $$;
create trigger support_files_limits after insert on support_files for each row execute function support_files_limits();

create trigger erased_get_nothing before insert on support_files for each row execute function erased_get_nothing();
create trigger support_files_never_change before update on support_files for each row execute function never_change();
create trigger goes_with_customer before delete on support_files for each row execute function goes_with_customer();

create trigger removed_get_nothing before insert or update of assigned_to on support_threads for each row
  when (new.assigned_to is not null) execute function removed_get_nothing('assigned_to');

create or replace function removed_leave_threads() returns trigger language plpgsql as $$
begin
  update support_threads set assigned_to = null where assigned_to = new.id;
  return null;
end $$;
create trigger removed_leave_threads after update on operators for each row
  when (old.removed_at is null and new.removed_at is not null) execute function removed_leave_threads();

create trigger erased_get_nothing before insert on support_threads for each row execute function erased_get_nothing();
create trigger goes_with_customer before delete on support_threads for each row execute function goes_with_customer();
create trigger erased_get_nothing before insert on support_messages for each row execute function erased_get_nothing();
create trigger support_messages_never_change before update on support_messages for each row execute function never_change();
create trigger goes_with_customer before delete on support_messages for each row execute function goes_with_customer();

-- What operators note for each other about a customer, in a thread or in general. No customer and no mail gets it.
create table support_notes (
  id text primary key check (id like 'SPN-%'),
  customer_id text not null references customers,
  thread_id text,
  note text not null check (length(note) between 1 and 5000),
  written_by text not null check (length(written_by) between 1 and 300),
  created_at timestamptz not null,
  foreign key (thread_id, customer_id) references support_threads (id, customer_id)
);
create index support_notes_customer on support_notes (customer_id, created_at);
create index support_notes_thread on support_notes (thread_id) where thread_id is not null;

create trigger erased_get_nothing before insert on support_notes for each row execute function erased_get_nothing();
create trigger support_notes_never_change before update on support_notes for each row execute function never_change();

-- Answers that operators insert into replies. What looks like a variable is one that the console knows (shared/domain/canned-answer.ts).
create table canned_answers (
  id text primary key check (id like 'CAN-%'),
  title text not null unique check (length(title) between 1 and 80),
  answer text not null check (length(answer) between 1 and 5000),
  changed_at timestamptz not null,
  constraint canned_answers_variables check (regexp_replace(answer, '\{\{(name|business|plan|ends|thread)\}\}', '', 'g') !~ '\{\{')
);
