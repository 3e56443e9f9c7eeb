/** Bytes of one call in the request log (decision 018): id, milliseconds since midnight, latency, type 0. */
const record = `substr(sha256((n || '-' || d)::bytea), 1, 13) || decode(lpad(to_hex(c), 4, '0'), 'hex') || int4send(60000 + c * 1000) || '\\x00000c0000'`;
const calls = 20;

/** What customers leave beside money: threads with support; and those with calls a request log, webhooks and an accountant. */
export async function seedContacts(
  run: (text: string) => Promise<unknown>,
  customers: number,
  callersAmong: number,
  gatewayPath: string,
): Promise<void> {
  const people = `generate_series(1, ${customers}) n`;
  const callers = `generate_series(${callersAmong}, ${customers}, ${callersAmong}) n`;
  await run(`insert into support_threads (id, customer_id, activation_id, subject, status, created_at, changed_at)
    select 'SUP-' || n, 'CUS-' || n, 'ACT-' || n, 'Rates', 'CLOSED', now() - interval '90 days', now() - interval '89 days' from ${people}`);
  await run(`insert into support_messages (id, customer_id, message, created_at, thread_id, author, channel, written_by)
    select 'SPM-' || n || '-' || p, 'CUS-' || n, 'Which rates apply?', now() - interval '90 days' + p * interval '1 hour', 'SUP-' || n,
      case p when 1 then 'CUSTOMER' else 'PROVIDER' end, case p when 1 then 'PORTAL' else 'COMMAND' end, case p when 2 then 'support' end
    from ${people}, generate_series(1, 2) p`);
  await run(`insert into request_log
      (id, activation_id, key_id, day, test, from_at, to_at, calls, counted, statuses, dictionary, records)
    select gen_random_uuid(), 'ACT-' || n, 'KEY-' || n, d, false, at + interval '1 minute 1 second', at + interval '1 minute ${calls} seconds',
      ${calls}, ${calls}, '{200}', 'GET /${gatewayPath}/v1/states 200 1 answered',
      '\\x01'::bytea || (select string_agg(${record}, ''::bytea order by c) from generate_series(1, ${calls}) c)
    from (select n, d::date, d at time zone 'Asia/Kolkata' as at
      from generate_series((now() at time zone 'Asia/Kolkata')::date - 29, (now() at time zone 'Asia/Kolkata')::date, interval '1 day') d,
        ${callers}) logged`);
  await run(`insert into accountants (id, customer_id, email, asked_at)
    select 'ACN-' || n, 'CUS-' || n, 'accounts' || n || '@example.com', now() - interval '3 days' from ${callers}`);
  await run(`insert into webhooks (id, customer_id, url, events, secret, created_at)
    select 'WHK-' || n, 'CUS-' || n, 'https://example.com/' || n, '{cycle.started}', sha256(n::text::bytea), now() - interval '90 days'
    from ${callers}`);
  const events = `${callers}, generate_series(1, 5) e`;
  await run(`insert into webhook_events (id, customer_id, type, body, created_at)
    select 'EVT-' || n || '-' || e, 'CUS-' || n, 'cycle.started', '{}', now() - e * interval '1 day' from ${events}`);
  await run(`insert into webhook_deliveries (id, webhook_id, event_id, customer_id, status, created_at, tries, tried_at, duration_ms, response_status)
    select 'DLV-' || n || '-' || e, 'WHK-' || n, 'EVT-' || n || '-' || e, 'CUS-' || n, 'DELIVERED', now() - e * interval '1 day', 1,
      now() - e * interval '1 day', 40, 204 from ${events}`);
  await run(`insert into webhook_attempts (delivery_id, attempt, at, duration_ms, response_status)
    select 'DLV-' || n || '-' || e, 1, now() - e * interval '1 day', 40, 204 from ${events}`);
}
