-- A series that is full is followed by the next of its kind (CGST Rule 46(b) allows several, each consecutive in itself).

-- The series of each kind, in the order in which a financial year fills them; domain/document-series.ts has the same.
create table document_series_forms (
  name text primary key,
  kind document_kind not null,
  place integer not null check (place >= 0),
  letters text not null unique check (letters ~ '^[A-Z]{0,2}$'),
  digits integer not null check (digits between 4 and 6),
  last integer not null check (last = 10 ^ digits - 1),
  unique (kind, place),
  check (length(letters) + digits <= 6)
);

with kinds (kind, first, width, more) as (values
  ('INVOICE'::document_kind, '', 6, 'ABDEGHJKL'), ('RECEIPT_VOUCHER', 'R', 4, 'STUWXYZ'),
  ('REFUND_VOUCHER', 'V', 4, 'PQ'), ('CREDIT_NOTE', 'C', 4, 'MN')
), forms as (
  select kind, 0 as step, 0 as one, 0 as two, first as letters, width as digits from kinds
  union all
  select kind, 1, n, 0, substr(more, n, 1), 5 from kinds, generate_series(1, length(more)) n
  union all
  select kind, 2, n, m, substr(first || more, n, 1) || substr('ABCDEFGHJKLMNPQRSTUVWXYZ', m, 1), 4
  from kinds, generate_series(1, length(first || more)) n, generate_series(1, 24) m
)
insert into document_series_forms (name, kind, place, letters, digits, last)
  select kind || case step when 0 then '' else ' ' || letters end, kind,
    row_number() over (partition by kind order by step, one, two) - 1, letters, digits, 10 ^ digits - 1
  from forms;

alter table document_series add foreign key (series) references document_series_forms (name);
create trigger document_series_forms_stand before update or delete on document_series_forms
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
  select * into form from document_series_forms where name = new.series;
  if new.last_number > form.last then
    raise exception 'series % of % is full', new.series, new.financial_year;
  end if;
  if tg_op = 'INSERT' and form.place > 0 then
    select s.* into before from document_series s join document_series_forms f on f.name = s.series
      where f.kind = form.kind and f.place = form.place - 1 and s.financial_year = new.financial_year and s.last_number >= f.last;
    if not found then
      raise exception 'series % of % begins before the one in front of it is full', new.series, new.financial_year;
    end if;
    -- Numbers increase with time across series too, also when a clock goes back.
    new.last_issued_at := greatest(new.last_issued_at, before.last_issued_at);
  end if;
  return new;
end $$;

create or replace function documents_follow() returns trigger language plpgsql as $$
declare
  before documents;
  form document_series_forms;
begin
  if (select (last_number, last_issued_at) from document_series where series = new.series and financial_year = new.financial_year)
     is distinct from (new.sequence, new.issued_at) then
    raise exception 'document % does not have the next number of its series', new.number;
  end if;
  select * into form from document_series_forms where name = new.series;
  if form.kind is distinct from new.kind or new.number !~ ('^[A-Za-z0-9]{1,3}/' || right(new.financial_year, 5) || '/' || form.letters
       || lpad(new.sequence::text, form.digits, '0') || '$') then
    raise exception 'document % does not have the number of its place in series %', new.number, new.series;
  end if;
  if new.refers_to is null then return new; end if;
  select * into before from documents where id = new.refers_to;
  if (before.cycle_id, before.customer_id, before.payment_id) is distinct from (new.cycle_id, new.customer_id, new.payment_id)
     or new.total_paise > before.total_paise
     or (new.kind = 'INVOICE' and new.total_paise <> before.total_paise)
     or (before.kind, new.kind) not in (
       ('RECEIPT_VOUCHER', 'INVOICE'), ('RECEIPT_VOUCHER', 'REFUND_VOUCHER'), ('INVOICE', 'INVOICE'), ('INVOICE', 'CREDIT_NOTE'))
  then
    raise exception 'document % cannot follow %', new.number, before.number;
  end if;
  return new;
end $$;
