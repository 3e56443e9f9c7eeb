import type { LogEvent } from 'kysely';
import { startSpan } from '#shared/platform/tracing.ts';

const longestText = 300;

/** Makes a span of a statement that has ended. Its text has no values: they are parameters. */
export function traceStatement({ level, query, queryDurationMillis, ...rest }: LogEvent): void {
  const text = query.sql.replaceAll(/\s+/g, ' ').trim();
  const span = startSpan(`PostgreSQL ${/^\w+/.exec(text)?.[0] ?? 'statement'}`, {
    kind: 'client',
    startedAtMs: Date.now() - queryDurationMillis,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, longestText) },
  });
  span?.end(level === 'error' ? failureOf(rest) : undefined);
}

function failureOf(event: object): Error | string {
  return 'error' in event && event.error instanceof Error ? event.error : 'the statement failed';
}
