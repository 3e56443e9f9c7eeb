import { z } from 'zod';

/** What each test database is a copy of: every table and the queue, with the users of `octroi database roles`. */
export const templateName = 'octroi_template';

/** Who the roles of the test server belong to, as `octroi database roles` names them. */
export const rolePrefix = 'octroi';

/** Addresses of the test server, by user; `owner` is its superuser. */
export const serverUrls = z.object({ owner: z.string(), migrate: z.string(), run: z.string(), read: z.string() });

declare module 'vitest' {
  interface ProvidedContext {
    /** A local socket that returns `serverUrls` as JSON, or a line that starts with "!". */
    testServerSocket: string;
  }
}
