import { type DatabaseConnection, type PostgresDialectConfig, PostgresDriver } from 'kysely';
import { ArrayDialect } from './array-dialect.ts';
import { repeatedOnConflict } from './transaction.ts';

/**
 * The dialect of every connection, which repeats a conflict's victim: a built statement outside a transaction is one of its own, so one that
 * PostgreSQL cancelled because of another (a deadlock) is run again, as `transaction` does with several. Raw texts aren't: they may begin
 * transactions.
 */
export class RepeatingDialect extends ArrayDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new RepeatingDriver(this.#config);
  }
}

class RepeatingDriver extends PostgresDriver {
  readonly #known = new WeakSet<DatabaseConnection>();
  readonly #inTransaction = new WeakSet<DatabaseConnection>();

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    if (!this.#known.has(connection)) this.#repeat(connection);
    this.#known.add(connection);
    return connection;
  }

  override async beginTransaction(...[connection, settings]: Parameters<PostgresDriver['beginTransaction']>) {
    this.#inTransaction.add(connection);
    await super.beginTransaction(connection, settings);
  }

  override async releaseConnection(...[connection]: Parameters<PostgresDriver['releaseConnection']>) {
    this.#inTransaction.delete(connection);
    await super.releaseConnection(connection);
  }

  /** Replaces the method, as Kysely does for its log: connections are compared by identity. */
  #repeat(connection: DatabaseConnection): void {
    const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
    connection.executeQuery = (query) => {
      const isAlone = query.query.kind !== 'RawNode' && !this.#inTransaction.has(connection);
      return isAlone ? repeatedOnConflict(() => execute(query)) : execute(query);
    };
  }
}
