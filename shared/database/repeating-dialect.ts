import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  PostgresAdapter,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryExecutorProvider,
  type QueryResult,
} from 'kysely';
import { ArrayDialect } from './array-dialect.ts';
import { type CommitGuard, currentGuard, repeatedOnConflict } from './transaction.ts';

/**
 * The dialect of every connection, which repeats a conflict's victim: a built statement outside a transaction is one of its own, so one that
 * PostgreSQL cancelled because of another (a deadlock) is run again, as `transaction` does with several. Raw texts aren't: they may begin
 * transactions. In work with a guard, one that writes alone ends as a transaction does, so that the guard is never passed by.
 */
export class RepeatingDialect extends ArrayDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  #executorOn(connection: DatabaseConnection): QueryExecutorProvider {
    const alone = { provideConnection: <T>(work: (of: DatabaseConnection) => Promise<T>) => work(connection) };
    const executor = new DefaultQueryExecutor(this.createQueryCompiler(), new PostgresAdapter(), alone);
    return { getExecutor: () => executor };
  }

  override createDriver(): PostgresDriver {
    return new RepeatingDriver(this.#config, (connection) => this.#executorOn(connection));
  }
}

type ExecutorOn = (connection: DatabaseConnection) => QueryExecutorProvider;

const writesAlone = /^\s*(?:insert|update|delete|merge|with\b[^]*\b(?:insert|update|delete|merge))\b/i;
const isWrite = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'RawNode' ? writesAlone.test(sql) : query.kind !== 'SelectQueryNode';

class RepeatingDriver extends PostgresDriver {
  readonly #known = new WeakSet<DatabaseConnection>();
  readonly #inTransaction = new WeakSet<DatabaseConnection>();
  readonly #executorOn: ExecutorOn;

  constructor(config: PostgresDialectConfig, executorOn: ExecutorOn) {
    super(config);
    this.#executorOn = executorOn;
  }

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
      if (this.#inTransaction.has(connection)) return execute(query);
      const guard = currentGuard();
      if (guard !== undefined && isWrite(query))
        return repeatedOnConflict(() => this.#guarded(connection, guard, () => execute(query)));
      return query.query.kind === 'RawNode' ? execute(query) : repeatedOnConflict(() => execute(query));
    };
  }

  async #guarded<Row>(
    connection: DatabaseConnection,
    guard: CommitGuard,
    execute: () => Promise<QueryResult<Row>>,
  ): Promise<QueryResult<Row>> {
    await this.beginTransaction(connection, {});
    try {
      const result = await execute();
      // What found nothing to change is no act.
      const hasChanged = result.numAffectedRows !== 0n;
      if (hasChanged) await guard.beforeCommit(this.#executorOn(connection));
      await this.commitTransaction(connection);
      if (hasChanged) guard.committed();
      return result;
    } catch (error) {
      await this.rollbackTransaction(connection);
      throw error;
    } finally {
      this.#inTransaction.delete(connection);
    }
  }
}
