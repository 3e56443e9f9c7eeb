/** What is sealed (migration 028): each table, the column that names its records, and what a record is called. */
const sealed = [
  { table: 'documents', id: 'id', noun: 'document' },
  { table: 'document_files', id: 'document_id', noun: 'the PDF of document' },
  { table: 'e_invoices', id: 'document_id', noun: 'the registration of document' },
  { table: 'cycles', id: 'id', noun: 'cycle' },
  { table: 'payments', id: 'provider_payment_id', noun: 'payment' },
] as const;

/**
 * Each record is as its last seal has it: neither changed, nor deleted, nor added without its triggers. The inner names may be narrowed to
 * some customers; rows are read from `public`, since the functions that hash them take rows of the tables themselves.
 */
const sealRules = sealed.map(
  ({ table, id, noun }) => `
    select '${noun} ' || coalesce(s.record_id, r.id) || case when r.id is null then ' is gone' when s.record_id is null
      then ' was added without a seal' else ' is not as it was recorded' end as fault
    from (select distinct on (record_id) record_id, content from record_seals where kind = '${table}' order by record_id, id desc) s
      full join (select t.${id} as id, seal_of_${table}(t) as content from public.${table} t where t.${id} in (select ${id} from ${table})) r
        on r.id = s.record_id
    where s.content is distinct from r.content`,
);

export const sealInvariants: Readonly<Record<string, string>> = {
  'a record is as it was sealed': sealRules.join('\n    union all'),
};

/** The chain of seals, each over the one before it, up to its head. */
export const sealChain = `
    select 'seal ' || s.position || ' is not as it was written' as fault from (
      select r as seal, r.position, r.hash, lag(r.hash, 1, decode(repeat('00', 32), 'hex')) over (order by r.position) as before,
        row_number() over (order by r.position) as place
      from record_seals r where r.position is not null) s
    where s.position <> s.place or s.hash <> hash_of_seal(s.before, s.seal)
    union all
    select 'the chain of seals ends at ' || coalesce(max(r.position), 0) || ', its head is at ' || h.position
    from seal_head h left join record_seals r on r.position is not null
    group by h.position, h.hash
    having coalesce(max(r.position), 0) <> h.position
      or (h.position > 0 and not exists (select from record_seals l where l.position = h.position and l.hash = h.hash))`;
