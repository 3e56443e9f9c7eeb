-- What only triggers write, they write as the owner of the tables, so that the user of the processes needs no right to change it.
alter function ledger_chain() security definer set search_path = public, pg_temp;
alter function chain_operator_action() security definer set search_path = public, pg_temp;
alter function chain_seals(integer) security definer set search_path = public, pg_temp;
alter function seal_record() security definer set search_path = public, pg_temp;
