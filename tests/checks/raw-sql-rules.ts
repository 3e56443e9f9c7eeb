import { parseSync } from 'oxc-parser';
import { isTest, type SyntaxNode, walkSyntax } from './modules.ts';

/** The compiler can't read SQL, so a type annotation on it is unchecked. These rooms must not use one. */
const rooms = /^(shared\/database|ship\/demo|gateway|ship\/launch|shared\/platform|products|server)\//;
/** Types of these expressions follow from their arguments and are verified by a test. */
const tested = 'shared/database/expressions.ts';

const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null;

function nameOf(node: unknown): string | undefined {
  return isNode(node) && typeof node['name'] === 'string' ? node['name'] : undefined;
}

/** `fn` for `fn.max`, `select.fn.max` and so on. */
function lastNameOf(node: unknown): string | undefined {
  return nameOf(node) ?? (isNode(node) ? nameOf(node['property']) : undefined);
}

/** An expression without its parentheses and `await`. */
function bare(node: unknown): unknown {
  if (!isNode(node)) return node;
  if (node['type'] === 'ParenthesizedExpression') return bare(node['expression']);
  return node['type'] === 'AwaitExpression' ? bare(node['argument']) : node;
}

/** Of pg, whose rows have the type any. */
function isQuery(node: unknown): boolean {
  const call = bare(node);
  return isNode(call) && call['type'] === 'CallExpression' && isMember(call['callee'], 'query');
}

function isMember(node: unknown, property: string): boolean {
  return isNode(node) && node['type'] === 'MemberExpression' && nameOf(node['property']) === property;
}

/** One sentence for each place where code assigns an unchecked type to rows of a statement. */
export function rawSqlFaults(path: string, text: string): string[] {
  if (!rooms.test(path) || isTest(path) || path === tested) return [];
  const found: string[] = [];
  const results = new Set<string>();
  const { program } = parseSync(path, text);
  walkSyntax(program, (node) => {
    if (node['type'] !== 'VariableDeclarator' || !isQuery(node['init'])) return;
    const name = nameOf(node['id']);
    if (name !== undefined) results.add(name);
    walkSyntax(node['id'], (part) => {
      if (part['type'] === 'Property' && nameOf(part['key']) === 'rows') found.push('takes rows of a query unchecked');
    });
  });
  walkSyntax(program, (node) => {
    const hasTypes = isNode(node['typeArguments']);
    if (node['type'] === 'TaggedTemplateExpression' && hasTypes && nameOf(node['tag']) === 'sql')
      found.push('gives sql`…` a type');
    if (node['type'] === 'CallExpression' && hasTypes && isNode(node['callee'])) {
      const property = nameOf(node['callee']['property']);
      const object = lastNameOf(node['callee']['object']);
      if (object === 'sql' || object === 'fn') found.push(`gives ${object}.${property ?? ''} a type`);
      if (property === 'query' || property === '$castTo' || property === '$narrowType')
        found.push(`gives ${property} a type`);
    }
    if (isMember(node, 'rows') && (isQuery(node['object']) || results.has(nameOf(node['object']) ?? '')))
      found.push('takes rows of a query unchecked');
  });
  return found.map(
    (fault) => `${path} ${fault}; use checkedRows of shared/platform/checked-rows.ts, the query builder or ${tested}.`,
  );
}
