const last = `(select coalesce(max(day), '-infinity') as day from summed_days) last`;

/** Sums of days that are over are what the rows of these days say: for the full check alone, since they are over all customers. */
export const daySumInvariants: Readonly<Record<string, string>> = {
  'sums of past days are those of their invoices, plans and payments': `
    select 'the sums of ' || day || ' have ' || coalesce(s.sold, 0) || ' of ' || sold_as || ' ' || service_id || '/' || plan_id || ' from ' || from_date
      || ' to ' || to_date || ' over ' || taxable_paise || ' paise, and there are ' || coalesce(r.sold, 0) as fault
    from sold_sums s full join (select r.* from ${last} cross join lateral sold_between('-infinity', last.day) r) r
      using (sold_as, day, service_id, plan_id, from_date, to_date, taxable_paise)
    where s.sold is distinct from r.sold
    union all
    select 'the sums of ' || day || ' have ' || s.cash_paise || ' paise that came in, and the ledger has ' || coalesce(r.paise, 0)
    from summed_days s full join (select r.* from ${last} cross join lateral cash_between('-infinity', last.day) r) r using (day)
    where s.cash_paise is distinct from coalesce(r.paise, 0)`,
};
