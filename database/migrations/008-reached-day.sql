-- The latest day that the product has reached. A machine's clock may go back; billing days do not: no plan that is over comes back to
-- life, no document is dated before one that went out, no day's quota is had twice.
alter table clock add column reached_day date;

create function clock_stays_reached() returns trigger language plpgsql as $$
begin
  if new.offset_ms <> old.offset_ms then
    -- Moved on purpose, which only the stand-ins do: what was reached no longer counts.
    new.reached_day := null;
  elsif new.reached_day < old.reached_day then
    raise exception 'the day % has been reached', old.reached_day;
  end if;
  return new;
end $$;
create trigger clock_stays_reached before update on clock for each row execute function clock_stays_reached();

-- No cycle begins on a day that is over, whatever the clock of whoever asks for it says. Whoever began before midnight and ends after it
-- is told to begin again, as after any other race.
create function cycles_begin_in_time() returns trigger language plpgsql as $$
declare
  reached date;
begin
  select reached_day into reached from clock;
  if new.from_date < reached then
    raise exception 'cycle % would begin on %, and % has been reached', new.id, new.from_date, reached
      using errcode = 'serialization_failure';
  end if;
  return new;
end $$;
create trigger cycles_begin_in_time before insert on cycles for each row execute function cycles_begin_in_time();
create trigger cycles_paid_in_time before update on cycles
  for each row when (new.status = 'PAID' and old.status <> 'PAID') execute function cycles_begin_in_time();

-- Nor is a document dated on one.
create function documents_issued_in_time() returns trigger language plpgsql as $$
declare
  reached date;
begin
  select reached_day into reached from clock;
  if new.issued_on < reached then
    raise exception 'document % would be dated %, and % has been reached', new.number, new.issued_on, reached
      using errcode = 'serialization_failure';
  end if;
  return new;
end $$;
create trigger documents_dated_in_time before insert on documents
  for each row execute function documents_issued_in_time();
