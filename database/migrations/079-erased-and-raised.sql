-- A claim or an SEZ check that was under way when its customer was erased is refused, as everything else that the customer writes is.
create trigger erased_get_nothing before insert on tds_claims for each row execute function erased_get_nothing();
create trigger erased_get_nothing before insert on sez_checks for each row execute function erased_get_nothing();
