import { secret } from '#shared/platform/settings.ts';

/** The setting of gateways and portals, which must have the same. */
export const requestLogUrl = () =>
  secret(
    'Where calls are logged, if not in the database: a PostgreSQL of its own, postgres://…, or clickhouse://user:password@host:8123/database[?secure=true&cluster=name]',
  )
    .refine(isLogUrl, 'must begin with postgres:// or clickhouse://')
    .optional();

const isLogUrl = (url: string): boolean => /^(?:postgres(?:ql)?|clickhouse):\/\/./.test(url) && URL.canParse(url);
