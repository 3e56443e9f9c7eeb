import { compileMessage } from '@lingui/message-utils/compileMessage';
import { Visitor, parseSync } from 'oxc-parser';
import type { Plugin } from 'vite';

const needsCompiling = (message: unknown): message is string => typeof message === 'string' && /[{']/.test(message);

/**
 * Compiles messages with placeholders, so that the page needs no message parser: those of texts.hi.ts in place, those of texts.ts
 * as entries of the English catalogue.
 */
export function compileMessages(): Plugin {
  return {
    name: 'compile-messages',
    apply: 'build',
    enforce: 'pre',
    transform: (code, id) => (/texts(\.hi)?\.ts$/.test(id) ? { code: compiled(code, id), map: null } : undefined),
  };
}

/** The module with compiled messages. */
export function compiled(code: string, id: string): string {
  const isHindi = id.endsWith('.hi.ts');
  const english: Record<string, unknown> = {};
  const found: { start: number; end: number; text: string }[] = [];
  const visitor = new Visitor({
    Property({ value }) {
      if (isHindi && value.type === 'Literal' && needsCompiling(value.value))
        found.push({ start: value.start, end: value.end, text: value.value });
    },
    CallExpression({ callee, arguments: [message] }) {
      if (isHindi || callee.type !== 'Identifier' || callee.name !== 't' || message?.type !== 'Literal') return;
      if (needsCompiling(message.value)) english[message.value] = compileMessage(message.value);
    },
  });
  visitor.visit(parseSync(id, code).program);
  if (isHindi) {
    // From the end, so that earlier offsets stay valid.
    return found.reduceRight(
      (rest, { start, end, text }) => rest.slice(0, start) + JSON.stringify(compileMessage(text)) + rest.slice(end),
      code,
    );
  }
  const load = "import { addCompiled } from '#web/language/language.ts';";
  return `${code}\n${load}\naddCompiled(${JSON.stringify(english)});\n`;
}
