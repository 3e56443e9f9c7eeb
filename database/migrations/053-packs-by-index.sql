-- The same rules, read by index: an OR over two tables read every cycle at each change of one.
create or replace function packs_end_with_cycle() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from cycles p join cycles c on c.id = p.adds_to
        where p.id = new.id and p.status in ('PAYMENT_PENDING', 'PAID') and c.status not in ('PAID', 'NO_PAYMENT_REQUIRED'))
     or exists (select from cycles c join cycles p on p.adds_to = c.id
        where c.id = new.id and p.status in ('PAYMENT_PENDING', 'PAID') and c.status not in ('PAID', 'NO_PAYMENT_REQUIRED')) then
    raise exception 'cycle % has ended and its packs have not', coalesce(new.adds_to, new.id);
  end if;
  return null;
end $$;

create or replace function switches_are_paid_alone() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from cycles c where c.id = new.cycle_id and (c.replaces is not null or c.adds_to is not null))
     or exists (select from order_cycles o join cycles c on c.id = o.cycle_id
        where o.order_id = new.order_id and (c.replaces is not null or c.adds_to is not null)) then
    raise exception 'order % covers a switch or a pack and other cycles', new.order_id;
  end if;
  return new;
end $$;
