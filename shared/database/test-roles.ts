import { randomBytes } from 'node:crypto';
import { openClient } from './clients.ts';
import { createRoles, type RoleKind, rolesNamed, updateRoles, urlsOfRoles } from './roles.ts';
import { inTransaction } from './transaction.ts';

export interface TestRoles extends Record<RoleKind, string> {
  /** The rights of new tables, as after a migration. */
  update: () => Promise<void>;
  drop: () => Promise<void>;
}

/** The three roles of a test database, as addresses. Drop them before the database, which needs a superuser. */
export async function withTestRoles(databaseUrl: string, superuserUrl = databaseUrl): Promise<TestRoles> {
  const prefix = `test_${randomBytes(4).toString('hex')}`;
  const passwords = await onDatabase(databaseUrl, (client) => createRoles(client, prefix));
  const urls = urlsOfRoles(databaseUrl, rolesNamed(prefix), passwords);
  return {
    ...urls,
    update: () => onDatabase(urls.migrate, (client) => inTransaction(client, () => updateRoles(client))),
    drop: () => dropTestRoles(superuserUrl, prefix),
  };
}

/** Drops the three roles; what they own stays with the superuser. */
export async function dropTestRoles(superuserUrl: string, prefix: string): Promise<void> {
  await onDatabase(superuserUrl, async (client) => {
    for (const name of Object.values(rolesNamed(prefix))) {
      await client.query(`reassign owned by ${name} to current_user`);
      await client.query(`drop owned by ${name}`);
      await client.query(`drop role ${name}`);
    }
  });
}

/** Does some work in one connection. */
export async function onDatabase<Result>(
  databaseUrl: string,
  work: (client: ReturnType<typeof openClient>) => Promise<Result>,
): Promise<Result> {
  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
