-- After a restore, numbers that were used since the backup stand on documents that the database has lost. No number may be used
-- twice (CGST Rule 46(b)), so the series that were in use are closed, and the next ones of their kinds follow.
create table closed_series (
  series text not null references document_series_forms (name),
  financial_year text not null check (financial_year ~ '^\d{4}-\d{2}$'),
  closed_at timestamptz not null,
  reason text not null check (reason <> ''),
  primary key (series, financial_year)
);
create trigger closed_series_stand before update or delete on closed_series
  for each row execute function never_change();

create or replace function document_series_count() returns trigger language plpgsql as $$
declare
  form document_series_forms;
  before document_series;
begin
  if tg_op = 'DELETE' or (tg_op = 'INSERT' and new.last_number <> 1) or (tg_op = 'UPDATE' and (
       (new.series, new.financial_year, new.last_number) <> (old.series, old.financial_year, old.last_number + 1)
       or new.last_issued_at < old.last_issued_at)) then
    raise exception 'a series counts up by one';
  end if;
  if exists (select from closed_series where series = new.series and financial_year = new.financial_year) then
    raise exception 'series % of % is closed', new.series, new.financial_year;
  end if;
  select * into form from document_series_forms where name = new.series;
  if new.last_number > form.last then
    raise exception 'series % of % is full', new.series, new.financial_year;
  end if;
  if tg_op = 'INSERT' and form.place > 0 then
    select s.* into before from document_series s join document_series_forms f on f.name = s.series
      where f.kind = form.kind and f.place < form.place and s.financial_year = new.financial_year
      order by f.place desc limit 1;
    if not exists (select from document_series_forms f
        left join document_series s on s.series = f.name and s.financial_year = new.financial_year
        left join closed_series c on c.series = f.name and c.financial_year = new.financial_year
        where f.kind = form.kind and f.place = form.place - 1 and (s.last_number >= f.last or c.series is not null)) then
      raise exception 'series % of % begins before the one in front of it is full', new.series, new.financial_year;
    end if;
    -- Numbers increase with time across series too, also when a clock goes back.
    new.last_issued_at := greatest(new.last_issued_at, before.last_issued_at);
  end if;
  return new;
end $$;
