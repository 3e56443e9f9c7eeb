import { sealedOfCustomers, sealedOfProvider, type SealedTable } from './sealed-tables.ts';

/**
 * Each record matches its last seal, was never sealed again in another form, and is there. A record that takes steps keeps, from seal to seal, what can't
 * change any more; one that never changes has a single seal. Unqualified table names may be limited to some customers; rows are read from `public`,
 * because the functions that hash them take rows of the real tables.
 */
function sealRule({ table, id, noun, moves, only = 'true', mayGo = 'false', mayLose = 'false' }: SealedTable): string {
  const name = id.map((column) => `t.${column}`).join(` || '/' || `);
  const lasting = moves ? `fixed_of_${table}(t)` : 'null::bytea';
  const seals = moves
    ? `select record_id, customer_id, id, content, fixed, lag(fixed) over (partition by record_id order by id) as before
        from record_seals where kind = '${table}'`
    : `select record_id, customer_id, id, content, fixed, null::bytea as before from record_seals where kind = '${table}'`;
  const renewed = moves
    ? `bool_or(before is not null and substr(fixed, 1, length(before)) is distinct from before)`
    : 'count(*) > 1';
  return `
    select '${noun} ' || coalesce(s.record_id, r.id) || case when r.id is null then ' is missing' when s.record_id is null
      then ' was added without a seal' when s.content is distinct from r.content or s.fixed is distinct from r.fixed then ' has been changed'
      else ' has been changed and sealed again' end as fault
    from (select record_id, max(customer_id) as customer_id, (array_agg(content order by id desc))[1] as content,
        (array_agg(fixed order by id desc))[1] as fixed, ${renewed} as renewed from (${seals}) history group by record_id) s
      full join (select ${name}${id.length === 1 ? '::text' : ''} as id, seal_of_${table}(t) as content, ${lasting} as fixed from public.${table} t
        where (${id.map((column) => `t.${column}`).join(', ')}) in (select ${id.join(', ')} from ${table}) and ${only}) r
        on r.id = s.record_id
    where case when r.id is null then not (${mayGo})
      else s.content is distinct from r.content or s.fixed is distinct from r.fixed or s.renewed and not (${mayLose}) end`;
}

const ruleOf = (tables: readonly SealedTable[]): Readonly<Record<string, string>> => ({
  'every record matches its seals': tables.map(sealRule).join('\n    union all'),
});

export const sealInvariants = ruleOf(sealedOfCustomers);
export const providerSealInvariants = ruleOf(sealedOfProvider);

/** The chain of seals: each covers the one before it, up to the head. */
export const sealChain = `
    select 'seal ' || s.position || ' has been changed' as fault from (
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

/** The chain of operators' actions: each covers the one before it, up to the head. */
export const operatorChain = `
    select 'action ' || s.position || ' of an operator has been changed' as fault from (
      select a as entry, a.position, a.hash, lag(a.hash, 1, decode(repeat('00', 32), 'hex')) over (order by a.position) as before,
        row_number() over (order by a.position) as place
      from operator_actions a) s
    where s.position <> s.place or s.hash <> hash_of_operator_action(s.before, s.entry)
    union all
    select 'the audit log ends at ' || coalesce(max(a.position), 0) || ', its head is at ' || h.position
    from operator_head h left join operator_actions a on true
    group by h.position, h.hash
    having coalesce(max(a.position), 0) <> h.position
      or (h.position > 0 and not exists (select from operator_actions l where l.position = h.position and l.hash = h.hash))`;
