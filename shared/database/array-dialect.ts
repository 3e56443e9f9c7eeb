import {
  type BinaryOperationNode,
  OperatorNode,
  PostgresDialect,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryCompiler,
} from 'kysely';

/** Kysely's dialect for PostgreSQL, in which the list of an `in` is one parameter, an array. */
export class ArrayDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new ArrayCompiler();
  }
}

const comparisons = new Map<string, string>([
  ['in', ' = any('],
  ['not in', ' <> all('],
]);

/** Kysely binds a parameter for each value, and PostgreSQL takes 65,535: too few for a list with an id of each customer. An array may also be empty. */
class ArrayCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand: list } = node;
    const comparison = OperatorNode.is(operator) ? comparisons.get(operator.operator) : undefined;
    if (comparison === undefined || !PrimitiveValueListNode.is(list)) {
      super.visitBinaryOperation(node);
      return;
    }
    this.visitNode(leftOperand);
    this.append(comparison);
    this.appendValue(list.values);
    this.append(')');
  }
}
