-- Chargebacks, as the provider tells of them, with the money held, taken and lost.

create table disputes (
  provider_dispute_id text primary key,
  payment_id text not null,
  cycle_id text not null,
  customer_id text not null,
  amount_paise bigint not null check (amount_paise > 0),
  phase text not null,
  reason text not null,
  status text not null check (status in ('open', 'under_review', 'won', 'lost', 'closed')),
  -- Until when evidence can be given.
  respond_by timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- When (of the machine's clock) the provider is asked about it next; null once it has ended.
  next_check_at timestamptz,
  -- Disputes with their money: what the provider holds back while it is open, what it took when it was lost, and how much of that was no refund.
  held_paise bigint not null default 0 check (held_paise >= 0),
  deducted_paise bigint not null default 0 check (deducted_paise >= 0),
  loss_paise bigint not null default 0 constraint disputes_check1 check (loss_paise between 0 and deducted_paise),
  -- When the evidence was given that the bank looks at; null when more is asked for.
  submitted_at timestamptz,
  constraint disputes_asked_check check (ended_at is not null or next_check_at is not null),
  constraint disputes_check check ((status in ('won', 'lost', 'closed')) = (ended_at is not null)),
  foreign key (payment_id, cycle_id, customer_id) references payments (provider_payment_id, cycle_id, customer_id),
  constraint disputes_check2 check (status = 'lost' or deducted_paise = 0)
);
create index disputes_next_check on disputes (next_check_at) where next_check_at is not null;
create index disputes_customer on disputes (customer_id);
create index disputes_payment on disputes (payment_id);

-- More evidence may be asked for, which reopens a dispute under review.
create or replace function disputes_move_forward() returns trigger language plpgsql as $$
begin
  if (new.provider_dispute_id, new.payment_id, new.cycle_id, new.customer_id, new.created_at)
     is distinct from (old.provider_dispute_id, old.payment_id, old.cycle_id, old.customer_id, old.created_at)
     or old.held_paise <> 0 and new.held_paise <> old.held_paise
     or old.ended_at is not null and (new.status, new.ended_at, new.deducted_paise, new.loss_paise, new.held_paise)
       is distinct from (old.status, old.ended_at, old.deducted_paise, old.loss_paise, old.held_paise) then
    raise exception 'dispute % cannot go from % to %', old.provider_dispute_id, old.status, new.status;
  end if;
  return new;
end $$;
create trigger disputes_move_forward before update on disputes for each row execute function disputes_move_forward();

-- At the commit: the ledger has what is held, given back and lost.
create or replace function disputes_are_booked() returns trigger language plpgsql as $$
declare
  d disputes;
begin
  select * into d from disputes where provider_dispute_id = new.provider_dispute_id;
  if (d.held_paise > 0) <> exists (select from ledger_entries where id = 'held:' || d.provider_dispute_id)
     or (d.held_paise > 0 and d.ended_at is not null) <> exists (select from ledger_entries where id = 'released:' || d.provider_dispute_id)
     or (d.loss_paise > 0) <> exists (select from ledger_entries where id = 'loss:' || d.provider_dispute_id) then
    raise exception 'dispute % is not in the ledger', d.provider_dispute_id;
  end if;
  return null;
end $$;
create constraint trigger disputes_are_booked after insert or update on disputes
  deferrable initially deferred for each row execute function disputes_are_booked();

create trigger disputes_never_deleted before delete on disputes for each row execute function never_change();
create trigger noted_for_ledger after insert or update or delete on disputes
  for each row execute function note_ledger_change('customer');
alter table disputes enable always trigger noted_for_ledger;
create trigger sealed after insert or delete on disputes for each row execute function seal_record('provider_dispute_id');
create trigger sealed_again after update on disputes for each row
  when ((to_jsonb(new) - 'next_check_at') is distinct from (to_jsonb(old) - 'next_check_at')) execute function seal_record('provider_dispute_id');
