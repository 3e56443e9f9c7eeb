-- A gateway of an earlier version has nobody to tell of calls that can't be counted: it keeps its journal, and one of this version reads it.
create or replace function count_calls(p_journal text, p_from bigint, p_to bigint, p_calls jsonb) returns void language plpgsql as $$
begin
  if exists (select from count_journal(p_journal, p_from, p_to, p_calls)) then
    raise exception 'journal % has calls on plans that this database does not have: start a gateway of the present version on it, or run octroi journals settle', p_journal;
  end if;
end $$;
